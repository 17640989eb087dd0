package dev.berth.workbench.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.engine.DecisionHash;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.history.ArrivalsFile;
import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every scenario of simulator/scenarios/real, where BERTH_TRACES names the published traces. */
class RealScenariosTest {
  @TempDir private Path folder;

  @Test
  void every_real_scenario_runs_where_the_traces_are() throws IOException, InterruptedException {
    String set = System.getenv("BERTH_TRACES");
    Assumptions.assumeTrue(
        set != null && Files.isDirectory(Path.of(set, "planetlab")),
        "skipped: set BERTH_TRACES to the folder of the traces that docs/real-load.md names");
    usage("planetlab", Path.of(set));
    usage("google2011", Path.of(set));
    usage("bitbrains", Path.of(set));
    arrivals("azure-v1", "azure-v1", Path.of(set));
    arrivals("swf", "lcg", Path.of(set));
    arrivals("dlrm", "dlrm", Path.of(set));
    Path real = Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios", "real");
    System.setProperty("BERTH_HISTORIES", folder.toString());
    List<Scenario> scenarios = ScenarioFile.readAll(real);
    assertThat(scenarios).hasSizeGreaterThanOrEqualTo(10).allMatch(Scenario::independent);
    PolicyCatalog catalog = new PolicyCatalog();
    for (Scenario scenario : scenarios) {
      var hash = new DecisionHash();
      Experiment.simulation(
              scenario.withDuration(1800, 0), catalog.find("default-spread"), 1, catalog)
          .listen(hash)
          .run();
      assertThat(hash.binds()).as(scenario.name()).isPositive();
    }
  }

  private void usage(String format, Path traces) throws IOException, InterruptedException {
    Path unpacked = Files.createDirectories(folder.resolve(format));
    try (Stream<Path> archives = Files.list(traces.resolve(format))) {
      for (Path archive : archives.filter(f -> f.toString().endsWith(".tar.gz")).toList()) {
        Process tar =
            new ProcessBuilder("tar", "xzf", archive.toString(), "-C", unpacked.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).as(archive.toString()).isZero();
      }
    }
    var trace = new UsageImport(format, 300, 1, 4.0 * (1L << 30), false);
    HistoryFile.write(
        folder.resolve(format + ".csv.gz"),
        trace.read(trace.files(unpacked), format, done -> {}).history());
  }

  private void arrivals(String format, String name, Path traces) throws IOException {
    ArrivalsFile.write(
        folder.resolve(name + ".csv.gz"), ArrivalImport.read(format, traces.resolve("lifetimes")));
  }
}
