package dev.berth.workbench.cli;

import dev.berth.service.model.LearnedModels;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.experiment.MarkdownReport;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.Results;
import dev.berth.simulator.experiment.Run;
import dev.berth.simulator.experiment.WorkFolder;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.MissingHistoryException;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.Seeds;
import dev.berth.workbench.charts.LeaderboardCharts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth leaderboard}: many policies on many scenarios, side by side. */
@Command(
    name = "leaderboard",
    description = {
      "Compare policies under common random numbers: means, 95 %% intervals, paired differences.",
      "Writes leaderboard.csv, leaderboard.md and pictures; a run that was killed goes on where it"
          + " stopped when started again."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth leaderboard --scenarios train,unseen --policies"
          + " random,default,predict-then-greedy,oracle-profile --seeds 10 --out out/leaderboard",
      "  berth leaderboard --scenarios deployments --policies random,round-robin,default --seeds"
          + " 9001-9030 --out out/deployments",
      "  berth leaderboard --equal-pain --scenarios n10-steady-50 --policies"
          + " default-spread,predict-then-greedy --out out/equal-pain",
      "Folders train, unseen, worlds, live, memory, faults, aaml, objectives, generations,"
          + " experiment and real ship in simulator/scenarios; those of real play recorded usage, which docs/real-load.md"
          + " tells how to get."
    })
final class LeaderboardCommand implements Callable<Integer> {
  private static final long SAME_FOR_ALL_WORKERS = 1;

  /** Policies that would stretch the picture's scale or clutter it. */
  private static final Set<String> OFF_THE_PICTURE =
      Set.of(
          "default",
          "random",
          "round-robin",
          "least-allocated",
          "default-spread",
          "target-load-packing-0.34",
          "target-load-packing-0.34+spread",
          "load-variation-risk-0.34",
          "load-variation-risk-0.34+spread",
          "hot-value",
          "ptg-blend",
          "oracle-now");

  @Option(
      names = "--scenarios",
      split = ",",
      paramLabel = "DIR",
      defaultValue = "train,unseen",
      description = "Folders, files or names. Default: ${DEFAULT-VALUE}.")
  private List<String> scenarios = List.of();

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "P",
      defaultValue =
          "random,round-robin,least-allocated,default,default-spread,target-load-packing-0.34,"
              + "load-variation-risk-0.34,hot-value,usage-plus-estimate,koordinator-1.8,"
              + "koordinator-1.8+stock,koordinator-1.8-fresh,ptg-blend,predict-then-greedy,"
              + "oracle-now,oracle-owners,oracle-profile,oracle-future",
      description = "Policies by name; a wrong one lists all. Default: ${DEFAULT-VALUE}.")
  private List<String> policies = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "N|A-B",
      defaultValue = "10",
      description = "A count from 9001 on, or a span. Default: ${DEFAULT-VALUE}.")
  private String seeds = "";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/leaderboard",
      description = "Where results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("");

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Worker processes. Default: one per core.")
  private @Nullable Integer processes;

  @Option(
      names = "--equal-pain",
      description = {
        "Find the load carried and the nodes needed where a policy hurts as much as --reference:",
        "hot node time, p99 latency, throttled CPU, evictions. Writes equal-pain.csv and .md."
      })
  private boolean equalPain;

  @Option(
      names = "--reference",
      paramLabel = "P",
      defaultValue = "default-spread",
      description = "Whose pain --equal-pain holds others to. Default: ${DEFAULT-VALUE}.")
  private String reference = "";

  @Option(names = "--shard", hidden = true, description = "Be worker I of N: I/N.")
  private @Nullable String shard;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (processes != null && processes < 1) {
      throw new ParameterException(
          spec.commandLine(), "--processes: %d is below 1".formatted(processes));
    }
    policies = policies.stream().distinct().toList();
    Experiment experiment = experiment();
    if (equalPain) {
      return equalPain(new EqualPainRun(experiment, reference, out, models()));
    }
    WorkFolder folder = new WorkFolder(out, experiment.scenarios(), models());
    if (shard != null) {
      return work(experiment, folder);
    }
    try (Closeable alone = folder.lock()) {
      return measure(experiment.runs(), folder);
    }
  }

  private int measure(List<Run> wanted, WorkFolder folder)
      throws IOException, InterruptedException {
    List<Run> open = folder.prepare(wanted);
    var console = spec.commandLine().getOut();
    console.printf("%d runs, %d of them done before%n", wanted.size(), wanted.size() - open.size());
    console.flush();
    if (!open.isEmpty()) {
      run(open.size());
    }
    Results results = folder.reduce(wanted);
    long missing = wanted.stream().filter(run -> !results.has(run)).count();
    if (missing > 0) {
      throw new IllegalStateException(missing + " runs are missing: start again to go on");
    }
    MarkdownReport report = new MarkdownReport(results);
    write(results, report);
    console.println();
    console.print(report.inShort());
    console.println("everything: " + out.resolve("leaderboard.md"));
    return 0;
  }

  private Integer equalPain(EqualPainRun search) throws IOException, InterruptedException {
    var console = spec.commandLine().getOut();
    if (shard != null) {
      String[] part = shard.split("/");
      search.work(Integer.parseInt(part[0]), Integer.parseInt(part[1]), console);
      return 0;
    }
    try (Closeable alone = search.lock()) {
      search.prepare();
      run(search.units());
      console.println(search.write(command() + " --equal-pain --reference " + reference));
      return 0;
    }
  }

  private void run(int units) throws IOException, InterruptedException {
    int cores = Runtime.getRuntime().availableProcessors();
    int workers = Math.min(units, processes == null ? cores : processes);
    int failed = new Workers(spec.commandLine().getErr()).run(workers, units, this::child);
    if (failed > 0) {
      throw new IllegalStateException(
          failed + " of " + workers + " workers failed: see above, then start again to go on");
    }
  }

  private Experiment experiment() throws IOException {
    PolicyCatalog catalog = PolicyNames.catalog();
    policies.forEach(catalog::find); // a wrong name fails before hours of work
    catalog.find(reference);
    return new Experiment(
        ScenarioLibrary.all(scenarios, this::skipped), policies, Seeds.parse(seeds).list());
  }

  /** Said once, by the process that starts the workers. */
  private void skipped(MissingHistoryException missing) {
    if (shard == null) {
      spec.commandLine().getErr().println("skipped " + missing.getMessage());
    }
  }

  private Map<String, String> models() throws IOException {
    Map<String, String> prints = new HashMap<>();
    for (String policy : policies) {
      LearnedModels.fingerprint(policy).ifPresent(print -> prints.put(policy, print));
    }
    return prints;
  }

  /** Does every {@code of}th of the open runs, in an order that all workers share. */
  private int work(Experiment experiment, WorkFolder folder) throws IOException {
    String[] part = String.valueOf(shard).split("/");
    int index = Integer.parseInt(part[0]);
    int of = Integer.parseInt(part[1]);
    PolicyCatalog catalog = PolicyNames.catalog();
    List<Run> open = new ArrayList<>(folder.open(experiment.runs()));
    // In their order, with ten policies and two workers, one worker had every other policy alone.
    Collections.shuffle(open, new Random(SAME_FOR_ALL_WORKERS));
    open.sort(Comparator.comparingLong(Run::seed)); // what is cut short has whole seeds
    for (int i = index; i < open.size(); i += of) {
      Run run = open.get(i);
      Scenario scenario = experiment.scenario(run.scenario());
      Map<Metric, Double> values = Experiment.run(scenario, run.policy(), run.seed(), catalog);
      Results.append(folder.part(index), run, scenario.seenInTraining(), values);
      spec.commandLine().getOut().println(run.scenario() + " " + run.policy());
      if (spec.commandLine().getOut().checkError()) {
        return 1; // who started this worker is gone, and may be started again
      }
    }
    return 0;
  }

  private List<String> child(int index, int of) {
    List<String> arguments = new ArrayList<>();
    if (equalPain) {
      arguments.addAll(List.of("leaderboard", "--equal-pain", "--reference", reference));
    } else {
      arguments.add("leaderboard");
    }
    arguments.addAll(
        List.of(
            "--scenarios",
            String.join(",", scenarios),
            "--policies",
            String.join(",", policies),
            "--seeds",
            seeds,
            "--out",
            out.toString(),
            "--shard",
            index + "/" + of));
    return arguments;
  }

  private String command() {
    return "bin/berth leaderboard --scenarios "
        + String.join(",", scenarios)
        + " --policies "
        + String.join(",", policies)
        + " --seeds "
        + seeds;
  }

  private void write(Results results, MarkdownReport report) throws IOException {
    Files.writeString(out.resolve("leaderboard.md"), report.text(command()));
    LeaderboardCharts.overview(results, out.resolve("leaderboard.png"));
    LeaderboardCharts.scenarios(
        results,
        policies.stream().filter(p -> !OFF_THE_PICTURE.contains(p)).limit(5).toList(),
        out.resolve("scenarios.png"));
  }
}
