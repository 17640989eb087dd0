package dev.berth.workbench.cli;

import dev.berth.service.cli.OutputPlace;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.workbench.live.Demo;
import dev.berth.workbench.live.DemoEvidence;
import dev.berth.workbench.live.DemoRunner;
import dev.berth.workbench.live.LocalCluster;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth evidence-demo}: the demo with several seeds, unattended, and what they show. */
@Command(
    name = "evidence-demo",
    description =
        "Play the demo with several seeds on the local cluster, unattended, and write the table of"
            + " docs/demo.md. A run that is done is not played again.")
final class EvidenceDemoCommand implements Callable<Integer> {
  /** A command of the cluster that is under way must end before the next may begin. */
  private static final int STOP_TRIES = 30;

  /** Fewer runs are no evidence, and must not take the place of it. */
  private static final int WHOLE_TABLE = 10;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--seeds",
      paramLabel = "SEEDS",
      defaultValue = "1-10",
      converter = SeedRange.Converter.class,
      description = "Such as 1-10 or 3,7. Default: ${DEFAULT-VALUE}.")
  private SeedRange seeds = new SeedRange(List.of());

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where the runs and their summary go. Default: out/evidence-demo.")
  private @Nullable Path out;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description =
          "Where the table goes. Default: docs/demo.md from ten runs on, demo.md beside the runs"
              + " before.")
  private @Nullable Path table;

  @Option(
      names = "--report",
      description = "Play nothing: only write table and summary again from the runs there are.")
  private boolean report;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path root = ClusterOptions.root();
    Path folder = out == null ? root.resolve("out/evidence-demo") : out;
    PrintWriter console = spec.commandLine().getOut();
    if (!report) {
      OutputPlace.folder(folder);
      OutputPlace.file(table(root, folder, WHOLE_TABLE));
    }
    boolean whole = report || play(root, folder);
    if (!whole && seeds.seeds().stream().noneMatch(seed -> DemoEvidence.done(folder, seed))) {
      return 1; // nothing to show, and why is told
    }
    DemoEvidence evidence = write(root, folder);
    console.println(evidence.markdown());
    console.println(
        "table: "
            + table(root, folder, evidence.size())
            + ", summary: "
            + folder.resolve("summary.json"));
    return whole ? 0 : 1;
  }

  private Path table(Path root, Path folder, int runs) {
    return table != null
        ? table
        : runs < WHOLE_TABLE ? folder.resolve("demo.md") : root.resolve("docs/demo.md");
  }

  private DemoEvidence write(Path root, Path folder) throws IOException {
    DemoEvidence evidence = DemoEvidence.read(folder);
    Files.writeString(table(root, folder, evidence.size()), evidence.markdown());
    evidence.write(folder.resolve("summary.json"));
    return evidence;
  }

  /**
   * Plays what is not done yet; false when a run failed or did not show what it is to show, which
   * does not keep the others.
   */
  private boolean play(Path root, Path folder) throws IOException, InterruptedException {
    List<Long> all = seeds.seeds();
    List<Long> left = all.stream().filter(seed -> !DemoEvidence.done(folder, seed)).toList();
    PrintWriter console = spec.commandLine().getOut();
    console.printf("%d of %d runs are done%n", all.size() - left.size(), all.size());
    if (left.isEmpty()) {
      return true;
    }
    Scenario scenario = ScenarioLibrary.one("demo");
    Path nginx = root.resolve("manifests/nginx-deployment.yaml");
    LocalCluster local = cluster.local();
    // Until this process ends: what it stops then must not be another demo's by that time.
    Closeable alone = DemoRunner.alone(local);
    Thread stop = new Thread(() -> down(local, alone, console), "down");
    Runtime.getRuntime().addShutdownHook(stop);
    boolean whole = true;
    for (long seed : left) {
      console.printf("%nrun %d of %d: seed %d%n", all.indexOf(seed) + 1, all.size(), seed);
      Path run = DemoEvidence.folder(folder, seed);
      try {
        for (String failure :
            DemoRunner.play(local, new Demo.Options(seed, scenario, nginx, run, false), console)) {
          console.println("FAILED: " + failure);
          whole = false;
        }
        write(root, folder);
      } catch (IOException | RuntimeException e) {
        console.println("no result, the same command plays it again: " + Workbench.told(e));
        whole = false;
      }
    }
    return whole;
  }

  /** Also when a signal or an error ends the runs: nothing is left running. */
  private static void down(LocalCluster cluster, Closeable alone, PrintWriter console) {
    try (alone) {
      for (int left = STOP_TRIES; ; left--) {
        try {
          cluster.quietly("down");
          return;
        } catch (IOException e) {
          if (left == 0) {
            console.println("the cluster still runs, `make down` stops it: " + e.getMessage());
            return;
          }
          Thread.sleep(1000);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      console.println("the cluster's lock ends with this process: " + e.getMessage());
    }
  }
}
