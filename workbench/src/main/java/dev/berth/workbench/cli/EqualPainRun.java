package dev.berth.workbench.cli;

import dev.berth.simulator.experiment.Dial;
import dev.berth.simulator.experiment.EqualPain;
import dev.berth.simulator.experiment.EqualPainReport;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.Results;
import dev.berth.simulator.experiment.Run;
import dev.berth.simulator.experiment.WorkFolder;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@code berth leaderboard --equal-pain}: workers search for one policy and seed at a time and
 * write down every run; the tables are made of these runs, so one that was killed goes on where it
 * was.
 */
final class EqualPainRun {
  private final Experiment experiment;
  private final String reference;
  private final WorkFolder folder;
  private final Path out;

  EqualPainRun(Experiment experiment, String reference, Path out, Map<String, String> models) {
    this.experiment = experiment;
    this.reference = reference;
    this.out = out;
    this.folder = new WorkFolder(out.resolve("equal-pain"), experiment.scenarios(), models);
  }

  /** One search of all dials and pains for each policy and seed. */
  int units() {
    return experiment.policies().size() * experiment.seeds().size();
  }

  /** As {@link WorkFolder#lock}. */
  Closeable lock() throws IOException {
    return folder.lock();
  }

  void prepare() throws IOException {
    folder.prepare(List.of());
  }

  /** Searches for every {@code of}-th policy and seed; prints a line for each. */
  void work(int index, int of, PrintWriter console) throws IOException {
    Results known = folder.everythingDone();
    PolicyCatalog catalog = PolicyNames.catalog();
    EqualPain search =
        new EqualPain(
            experiment.scenarios(),
            reference,
            (scenario, dial, position, run) ->
                known
                    .find(run)
                    .orElseGet(() -> run(known, index, catalog, scenario, dial, position, run)));
    int unit = 0;
    for (long seed : experiment.seeds()) {
      for (String policy : experiment.policies()) {
        if (unit++ % of == index) {
          for (Dial dial : Dial.values()) {
            EqualPain.PAINS.forEach(pain -> search.find(dial, pain, policy, seed));
          }
          console.println(policy + ", seed " + seed);
          console.flush();
        }
      }
    }
  }

  private Map<Metric, Double> run(
      Results known,
      int index,
      PolicyCatalog catalog,
      Scenario scenario,
      Dial dial,
      int position,
      Run run) {
    Map<Metric, Double> values = Experiment.run(scenario, dial, position, run, catalog);
    known.add(run, false, values);
    try {
      Results.append(folder.part(index), run, false, values);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }

  /** Writes CSV and tables from what workers found, and returns the file of tables. */
  Path write(String command) throws IOException {
    Results all = folder.everything();
    EqualPain search =
        new EqualPain(
            experiment.scenarios(),
            reference,
            (scenario, dial, position, run) ->
                all.find(run)
                    .orElseThrow(
                        () -> new IllegalStateException(run + " was not done: start again")));
    EqualPainReport report =
        new EqualPainReport(search, reference, experiment.policies(), experiment.seeds());
    Files.writeString(out.resolve("equal-pain.csv"), report.csv());
    Path tables = out.resolve("equal-pain.md");
    Files.writeString(
        tables, report.text(command, experiment.scenarios().stream().map(Scenario::name).toList()));
    return tables;
  }
}
