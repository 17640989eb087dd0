package dev.berth.service.cli;

import dev.berth.simulator.learning.ForecastResiduals;
import dev.berth.simulator.learning.RidgeRegression;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth residuals}: can the errors of the base's forecast be predicted at all? */
@Command(
    name = "residuals",
    description = {
      "Fit what the agents see to what the forecast of predict-then-greedy gets wrong, on some"
          + " scenarios, and judge on others: the most that correcting the forecast could win."
    },
    footerHeading = "%nExamples:%n",
    footer = "  berth residuals --fit n10-steady-50,n10-burst-50 --judge n10-churn-50-s60-l30")
final class ResidualsCommand implements Callable<Integer> {
  private static final double PENALTY = 300;

  @Option(
      names = "--fit",
      split = ",",
      required = true,
      paramLabel = "S",
      description = "Scenarios, files or folders to fit on, seeds 1 and 2.")
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

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private record Data(List<double[]> inputs, List<double[]> residuals) {
    double[] targets(int horizon) {
      return residuals.stream().mapToDouble(r -> r[horizon]).toArray();
    }
  }

  @Override
  public Integer call() throws IOException {
    Data seen = collect(fit, List.of(1L, 2L));
    Data unseen = collect(judge, Seeds.parse(seeds).list());
    var out = spec.commandLine().getOut();
    out.printf("%d candidates fitted, %d judged%n%n", seen.inputs().size(), unseen.inputs().size());
    out.println("| minutes ahead | error of the forecast (std) | explained, fitted | unseen |");
    out.println("|---|---|---|---|");
    double[] horizons = ForecastResiduals.horizons();
    for (int h = 0; h < horizons.length; h++) {
      RidgeRegression model = RidgeRegression.fit(seen.inputs(), seen.targets(h), PENALTY);
      double squares = 0;
      for (double r : unseen.targets(h)) {
        squares += r * r / unseen.inputs().size();
      }
      out.printf(
          Locale.ROOT,
          "| %.0f | %.4f | %.1f %% | %.1f %% |%n",
          horizons[h] / 60,
          Math.sqrt(squares),
          100 * model.explained(seen.inputs(), seen.targets(h)),
          100 * model.explained(unseen.inputs(), unseen.targets(h)));
    }
    return 0;
  }

  private static Data collect(List<String> places, List<Long> seeds) throws IOException {
    Data all = new Data(new ArrayList<>(), new ArrayList<>());
    for (Scenario scenario : ScenarioLibrary.all(places)) {
      for (long seed : seeds) {
        ForecastResiduals run = ForecastResiduals.of(scenario, seed);
        all.inputs().addAll(run.inputs());
        all.residuals().addAll(run.residuals());
      }
    }
    return all;
  }
}
