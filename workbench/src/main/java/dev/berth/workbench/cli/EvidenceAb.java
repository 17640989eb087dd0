package dev.berth.workbench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.berth.simulator.experiment.SwitchbackRun.Outcome;
import dev.berth.simulator.experiment.SwitchbackTrials;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth evidence-ab}: how often an experiment is wrong, and how soon it is right. */
@Command(
    name = "evidence-ab",
    description =
        "Try the experiments of berth ab where the truth is known: of a policy with itself, and"
            + " with one that is worse.")
final class EvidenceAb implements Callable<Integer> {
  private static final String WORLD = "n40-short-jobs-50";
  private static final int EACH = 20;
  private static final double DAY = 86_400;

  @Option(
      names = "--anywhere",
      defaultValue = "0.3",
      paramLabel = "SHARE",
      description =
          "Share of the pods that the worse policy puts anywhere. Default: ${DEFAULT-VALUE}")
  private double anywhere;

  @Option(
      names = "--policy",
      defaultValue = "least-allocated",
      paramLabel = "P",
      description = "A, and what the worse one is made of. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String policy;

  @Option(
      names = "--worlds",
      defaultValue = "10",
      paramLabel = "N",
      description =
          "Worlds of " + EACH + " experiments of A with itself. Default: ${DEFAULT-VALUE}")
  private int worlds;

  @Option(
      names = "--worse",
      defaultValue = "3",
      paramLabel = "N",
      description = "Experiments with the worse policy. Default: ${DEFAULT-VALUE}")
  private int worse;

  @Option(
      names = "--days",
      defaultValue = "0.75",
      paramLabel = "D",
      description =
          "Length of an experiment; with the worse policy up to twice as much. Default:"
              + " ${DEFAULT-VALUE}")
  private double days;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the worlds. Default: ${DEFAULT-VALUE}")
  private long first;

  @Option(
      names = "--out",
      defaultValue = "out/evidence-ab",
      paramLabel = "FOLDER",
      description = "For summary.json and table.md. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path out;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Scenario world = ScenarioLibrary.all(List.of(WORLD)).get(0);
    SwitchbackTrials alike = trials(world, days);
    SwitchbackTrials longer = trials(world, 2 * days);
    List<Outcome> same = new ArrayList<>();
    List<Outcome> found = new ArrayList<>();
    double truth = 0;
    try (Progress bar = Progress.of("experiments", worlds + 3L * worse)) {
      for (long seed = first; seed < first + worlds; seed++) {
        same.addAll(alike.withItself(seed, EACH));
        bar.step();
      }
      for (long seed = first; seed < first + worse; seed++) {
        truth += alike.trulyWorse(seed) / worse;
        bar.stepTo(worlds + 3 * (seed - first) + 1);
        found.add(longer.withWorse(seed));
        bar.stepTo(worlds + 3 * (seed - first) + 3);
      }
    }
    write(same, found, truth);
    return 0;
  }

  private SwitchbackTrials trials(Scenario world, double length) {
    return new SwitchbackTrials(
        world.withDuration(length * DAY, 0), PolicyNames.catalog().find(policy), anywhere);
  }

  private void write(List<Outcome> same, List<Outcome> found, double truth) throws IOException {
    double pairHours = 2 * SwitchbackTrials.SLOTS.seconds() / 3_600;
    long alarms = same.stream().filter(Outcome::alarm).count();
    double[] hours =
        found.stream()
            .filter(Outcome::harm)
            .mapToDouble(o -> o.pairs() * pairHours)
            .sorted()
            .toArray();
    String until =
        hours.length == 0
            ? "never"
            : String.format(
                Locale.ROOT, "%.1f, %.1f", hours[hours.length / 2], hours[hours.length - 1]);
    long wrong = found.stream().filter(Outcome::gain).count();
    String table =
        String.format(
            Locale.ROOT,
            """
            # Experiments where the truth is known

            Made by `make evidence-ab`: A is %s, scenario %s, slots of %.0f minutes of which the first %.0f are not measured, a look after every pair.

            | experiments | of | length | B called worse | B called better | hours until stopped: median, longest |
            |---|---:|---|---:|---:|---|
            | A with itself | %d | %.2f days | %d | %d | |
            | A with one that spreads usage %.1f %% more | %d | up to %.2f days | %d | %d | %s |
            """,
            policy,
            WORLD,
            SwitchbackTrials.SLOTS.seconds() / 60,
            SwitchbackTrials.SLOTS.washout() / 60,
            same.size(),
            days,
            same.stream().filter(Outcome::harm).count(),
            same.stream().filter(Outcome::gain).count(),
            100 * truth,
            found.size(),
            2 * days,
            hours.length,
            wrong,
            until);
    Files.createDirectories(out);
    Files.writeString(out.resolve("table.md"), table);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(
            out.resolve("summary.json").toFile(),
            Map.of(
                "same_experiments", same.size(),
                "false_alarms", alarms,
                "worse_by", truth,
                "worse_experiments", found.size(),
                "stopped", hours.length,
                "called_better", wrong,
                "hours_until_stopped", hours));
    PrintWriter text = spec.commandLine().getOut();
    text.println(table);
    found.forEach(o -> text.println(o.spread().words()));
    text.flush();
  }
}
