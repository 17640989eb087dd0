package dev.berth.workbench.cli;

import dev.berth.simulator.experiment.SwitchbackRun.Outcome;
import dev.berth.simulator.experiment.SwitchbackTrials;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.workbench.cli.AbResults.Line;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth evidence-ab}: how often an experiment is wrong, and how soon it is right. */
@Command(
    name = "evidence-ab",
    description =
        "Try the experiments of berth ab where the truth is known: of a policy with itself, and"
            + " with one that is worse. What has ended is kept: started again, it goes on.")
final class EvidenceAb implements Callable<Integer> {
  private static final String WORLD = "n40-short-jobs-50";
  private static final int EACH = 20;
  private static final double DAY = 86_400;

  /** A tenth more is seen after some 55 pairs, which take a day and a half. */
  private static final double LONGER = 3;

  @Option(
      names = "--anywhere",
      defaultValue = "0.38",
      paramLabel = "SHARE",
      description =
          "Share of the pods that the worse policy puts anywhere. Default: ${DEFAULT-VALUE}, which"
              + " spreads usage 10 to 13 %% more")
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
      defaultValue = "10",
      paramLabel = "N",
      description = "Experiments with the worse policy. Default: ${DEFAULT-VALUE}")
  private int worse;

  @Option(
      names = "--days",
      defaultValue = "0.75",
      paramLabel = "D",
      description =
          "Length of an experiment; with the worse policy up to three times as much. Default:"
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
      description =
          "For experiments.csv and table.md; started again, it goes on. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path out;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!(anywhere >= 0 && anywhere <= 1)) {
      throw new IllegalArgumentException(
          "--anywhere is " + anywhere + ": want a share of the pods, 0 to 1");
    }
    Scenario world = ScenarioLibrary.all(List.of(WORLD)).get(0);
    SwitchbackTrials alike = trials(world, days);
    SwitchbackTrials longer = trials(world, LONGER * days);
    AbResults results =
        AbResults.open(
            out, "%s on %s, %s anywhere, %s days".formatted(policy, WORLD, anywhere, days));
    try (Progress bar = Progress.of("experiments", worlds + (long) worse)) {
      for (long seed = first; seed < first + worlds; seed++, bar.step()) {
        if (!results.has(seed, true)) {
          results.add(withItself(alike, seed));
          write(results);
        }
      }
      for (long seed = first; seed < first + worse; seed++, bar.step()) {
        if (!results.has(seed, false)) {
          Outcome o = longer.withWorse(seed);
          double truth = alike.trulyWorse(seed);
          results.add(List.of(new Line(seed, Line.WORSE, o.harm(), o.gain(), o.pairs(), truth)));
          write(results);
        }
      }
    }
    spec.commandLine().getOut().println(write(results));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private SwitchbackTrials trials(Scenario world, double length) {
    return new SwitchbackTrials(
        world.withDuration(length * DAY, 0), PolicyNames.catalog().find(policy), anywhere);
  }

  private static List<Line> withItself(SwitchbackTrials trials, long seed) {
    List<Outcome> outcomes = trials.withItself(seed, EACH);
    return IntStream.range(0, EACH)
        .mapToObj(
            i -> {
              Outcome o = outcomes.get(i);
              return new Line(seed, i, o.harm(), o.gain(), o.pairs(), 0);
            })
        .toList();
  }

  /** Writes the table of what has ended so far, and returns it. */
  private String write(AbResults results) throws IOException {
    String table =
        String.format(
            Locale.ROOT,
            """
            # Experiments where the truth is known

            Made by `make evidence-ab`: A is %s, scenario %s, slots of %.0f minutes of which the first %.0f are not measured, a look after every pair. What it means: [experiments.md](experiments.md).

            | experiments | of | length | B called worse | B called better | hours until stopped: median, longest |
            |---|---:|---|---:|---:|---|
            """,
            policy,
            WORLD,
            SwitchbackTrials.SLOTS.seconds() / 60,
            SwitchbackTrials.SLOTS.washout() / 60);
    table += row("A with itself", days + " days", results.same());
    if (!results.worse().isEmpty()) {
      double[] by = results.worse().stream().mapToDouble(Line::worse).sorted().toArray();
      String what =
          String.format(
              Locale.ROOT,
              "A with one that spreads usage %.0f to %.0f %% more",
              100 * by[0],
              100 * by[by.length - 1]);
      table += row(what, "up to " + LONGER * days + " days", results.worse());
    }
    Files.writeString(out.resolve("table.md"), table);
    return table;
  }

  private static String row(String what, String length, List<Line> of) {
    double pairHours = 2 * SwitchbackTrials.SLOTS.seconds() / 3_600;
    double[] hours =
        of.stream().filter(Line::harm).mapToDouble(l -> l.pairs() * pairHours).sorted().toArray();
    String until =
        hours.length == 0
            ? ""
            : String.format(
                Locale.ROOT, "%.0f, %.0f", hours[hours.length / 2], hours[hours.length - 1]);
    return "| %s | %d | %s | %d | %d | %s |%n"
        .formatted(
            what, of.size(), length, hours.length, of.stream().filter(Line::gain).count(), until);
  }
}
