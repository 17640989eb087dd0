package dev.berth.workbench.cli;

import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.predict.ForecastErrors;
import dev.berth.policy.predict.ForecastErrors.Accuracy;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.service.cli.OutputPlace;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.learning.ForecastResiduals;
import dev.berth.simulator.learning.ForecastResiduals.Row;
import dev.berth.simulator.learning.RidgeRegression;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.Seeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth residuals}: can the errors of the base's forecast be predicted at all? */
@Command(
    name = "residuals",
    description = {
      "Fit what the agents see to what the forecast of predict-then-greedy gets wrong, on some"
          + " scenarios, and judge on others: the most that correcting the forecast could win.",
      "Then hold the forecasts of the others against what came: bias, error, and the share of"
          + " outcomes inside the 80 %% interval that each stated, learned from the errors known"
          + " when it was made."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth residuals --fit n10-steady-50,n10-burst-50 --judge n10-churn-50-s60-l30",
      "  berth residuals --judge planetlab-steady-60 --seeds 10 --rows out/rows/planetlab.csv.gz"
    })
final class ResidualsCommand implements Callable<Integer> {
  private static final double PENALTY = 300;

  /** With fewer candidates to fit for each of their inputs, what is explained is mostly chance. */
  private static final int MIN_PER_INPUT = 20;

  @Option(
      names = "--fit",
      split = ",",
      paramLabel = "S",
      description = {
        "Scenarios, files or folders to fit on, seeds 1 and 2. Without it nothing is fitted, and",
        "the intervals are all that is printed."
      })
  private List<String> fit = List.of();

  @Option(
      names = "--judge",
      split = ",",
      required = true,
      paramLabel = "S",
      description = "Scenarios, files or folders to judge on.")
  private List<String> judge = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "N|A-B",
      defaultValue = "9001-9002",
      description = "Seeds to judge on. Default: ${DEFAULT-VALUE}.")
  private String seeds = "";

  @Option(
      names = "--base",
      paramLabel = "P",
      defaultValue = "predict-then-greedy",
      description =
          "predict-then-greedy, or without a part of it: predict-then-greedy:no-node-speed."
              + " Default: ${DEFAULT-VALUE}.")
  private String base = "";

  @Option(
      names = "--rows",
      paramLabel = "FILE",
      description = {
        "Also write what was judged, a row for every candidate: inputs, what its samples showed",
        "lately, the stated spread, and truth less forecast of every horizon, as it is and as a",
        "deviation from the candidates' mean. CSV, or .csv.gz."
      })
  private @Nullable Path rows;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private record Data(
      List<Row> rows, List<String> runs, List<ForecastErrors> truth, List<ForecastErrors> samples) {
    static Data empty() {
      return new Data(new ArrayList<>(), new ArrayList<>(), none(), none());
    }

    private static List<ForecastErrors> none() {
      return Arrays.stream(ForecastResiduals.horizons())
          .mapToObj(h -> new ForecastErrors())
          .toList();
    }

    void add(String name, ForecastResiduals run) {
      rows.addAll(run.rows());
      runs.addAll(Collections.nCopies(run.rows().size(), name));
      for (int h = 0; h < truth.size(); h++) {
        truth.get(h).addAll(run.errors().get(h));
        samples.get(h).addAll(run.measuredErrors().get(h));
      }
    }

    List<double[]> inputs() {
      return rows.stream().map(Row::inputs).toList();
    }

    double[] targets(int horizon) {
      return rows.stream().mapToDouble(r -> r.residuals()[horizon]).toArray();
    }
  }

  @Override
  public Integer call() throws IOException {
    if (!(Policies.byName(base, new SplittableRandom(0)) instanceof PredictThenGreedy greedy)) {
      throw new IllegalArgumentException(
          "--base " + base + " makes no forecast: name predict-then-greedy or a variant of it");
    }
    if (rows != null) {
      Path folder = rows.toAbsolutePath().getParent();
      OutputPlace.folder(folder == null ? rows : folder);
      OutputPlace.file(rows);
    }
    Data seen = collect(greedy, fit, List.of(1L, 2L));
    Data unseen = collect(greedy, judge, Seeds.parse(seeds).list());
    if ((!fit.isEmpty() && seen.rows().isEmpty()) || unseen.rows().isEmpty()) {
      throw new IllegalArgumentException(
          "%d candidates to fit on, %d to judge on: name scenarios that go on for an hour after their warm-up"
              .formatted(seen.rows().size(), unseen.rows().size()));
    }
    if (rows != null) {
      write(rows, unseen);
    }
    var out = spec.commandLine().getOut();
    if (!fit.isEmpty()) {
      out.printf("%d candidates fitted%n", seen.rows().size());
    }
    out.printf("%d candidates judged%n%n", unseen.rows().size());
    if (!fit.isEmpty()) {
      explained(out, seen, unseen);
    }
    out.printf(
        "Spreads are learned from %.3f on; by the truth, and as the service measures it from"
            + " samples.%n%n",
        PlacementCost.FORECAST_ERROR);
    out.println("| minutes ahead | by | outcomes | bias | RMSE | inside 80 % | spread of 80 % |");
    out.println("|---|---|---|---|---|---|---|");
    double[] horizons = ForecastResiduals.horizons();
    for (int h = 0; h < horizons.length; h++) {
      print(out, horizons[h], "truth", unseen.truth().get(h).accuracy());
      print(out, horizons[h], "samples", unseen.samples().get(h).accuracy());
    }
    return 0;
  }

  /** What a linear correction explains of the errors. */
  private static void explained(PrintWriter out, Data seen, Data unseen) {
    int inputs = seen.rows().get(0).inputs().length;
    if (seen.rows().size() < MIN_PER_INPUT * inputs) {
      out.printf(
          "Few for %d inputs, so what is explained is mostly chance: name more scenarios in --fit,"
              + " for %d candidates or more%n%n",
          inputs, MIN_PER_INPUT * inputs);
    }
    out.println("| minutes ahead | error of the forecast (std) | explained, fitted | unseen |");
    out.println("|---|---|---|---|");
    double[] horizons = ForecastResiduals.horizons();
    for (int h = 0; h < horizons.length; h++) {
      RidgeRegression model = RidgeRegression.fit(seen.inputs(), seen.targets(h), PENALTY);
      double squares = 0;
      for (double r : unseen.targets(h)) {
        squares += r * r / unseen.rows().size();
      }
      out.printf(
          Locale.ROOT,
          "| %.0f | %.4f | %.1f %% | %.1f %% |%n",
          horizons[h] / 60,
          Math.sqrt(squares),
          100 * model.explained(seen.inputs(), seen.targets(h)),
          100 * model.explained(unseen.inputs(), unseen.targets(h)));
    }
    out.println();
  }

  private static void write(Path file, Data data) throws IOException {
    List<String> header = new ArrayList<>(List.of("run", "at", "node"));
    header.addAll(ForecastResiduals.names());
    header.addAll(ForecastResiduals.recentNames());
    for (String column : List.of("spread%.0fm", "error%.0fm", "error%.0fm.fromMean")) {
      for (double horizon : ForecastResiduals.horizons()) {
        header.add(column.formatted(horizon / 60));
      }
    }
    CsvTable.writeWhole(
        file,
        header,
        csv -> {
          for (int i = 0; i < data.rows().size(); i++) {
            Row r = data.rows().get(i);
            List<Object> row = new ArrayList<>(List.of(data.runs().get(i), r.at(), r.node()));
            for (double[] part :
                List.of(r.inputs(), r.recent(), r.spreads(), r.outcomes(), r.residuals())) {
              Arrays.stream(part).forEach(x -> row.add((float) x));
            }
            csv.printRecord(row);
          }
        });
  }

  private static void print(PrintWriter out, double horizon, String by, Accuracy a) {
    out.printf(
        Locale.ROOT,
        "| %.0f | %s | %.0f | %+.4f | %.4f | %.1f %% | %.3f |%n",
        horizon / 60,
        by,
        a.outcomes(),
        a.bias(),
        a.rmse(),
        100 * a.inside(),
        a.calibratedSpread());
  }

  private static Data collect(PredictThenGreedy base, List<String> places, List<Long> seeds)
      throws IOException {
    Data all = Data.empty();
    for (Scenario scenario : ScenarioLibrary.all(places)) {
      for (long seed : seeds) {
        all.add(scenario.name() + " " + seed, ForecastResiduals.of(scenario, seed, base));
      }
    }
    return all;
  }
}
