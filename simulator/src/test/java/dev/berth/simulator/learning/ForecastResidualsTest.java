package dev.berth.simulator.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.predict.ForecastErrors.Accuracy;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the forecast gets wrong, and the regression that looks for a pattern in it. */
final class ForecastResidualsTest {
  private static final Path SCENARIOS =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");

  @Test
  void errorsAreDeviationsFromTheMeanOfTheCandidates_seed1() throws IOException {
    ForecastResiduals all = of("train/n10-steady-50.yaml");
    assertThat(all.rows()).hasSizeGreaterThan(500);
    assertThat(all.rows().get(0).inputs()).hasSize(ForecastResiduals.names().size());
    assertThat(all.rows().get(0).recent()).hasSize(ForecastResiduals.recentNames().size());
    double[] sums = new double[ForecastResiduals.horizons().length];
    double squares = 0;
    for (ForecastResiduals.Row r : all.rows()) {
      for (int h = 0; h < sums.length; h++) {
        sums[h] += r.residuals()[h];
      }
      squares += r.residuals()[0] * r.residuals()[0] / all.rows().size();
    }
    assertThat(sums).containsExactly(new double[sums.length], within(1e-6));
    assertThat(Math.sqrt(squares)).isBetween(0.005, 0.2); // of a node: neither zero nor nonsense
    for (int h = 0; h < sums.length; h++) {
      Accuracy truth = all.errors().get(h).accuracy();
      Accuracy measured = all.measuredErrors().get(h).accuracy();
      assertThat(measured.outcomes()).isGreaterThan(300);
      assertThat(truth.bias()).isBetween(-0.03, 0.03);
      assertThat(truth.inside()).isBetween(0.6, 0.95);
      assertNear(measured, truth);
    }
  }

  @Test
  void whatPodsTakeOnASlowNodeIsTheTruthToo_seed1() throws IOException {
    ForecastResiduals all = of("generations/n10-generations-steady-80.yaml");
    for (int h = 0; h < ForecastResiduals.horizons().length; h++) {
      assertNear(all.measuredErrors().get(h).accuracy(), all.errors().get(h).accuracy());
    }
  }

  private static ForecastResiduals of(String file) throws IOException {
    return ForecastResiduals.of(
        ScenarioFile.read(SCENARIOS.resolve(file)), 1, PredictThenGreedy.best());
  }

  /** What a live service can know is near the truth that only the simulator knows. */
  private static void assertNear(Accuracy measured, Accuracy truth) {
    assertThat(measured.bias()).isCloseTo(truth.bias(), within(0.02));
    assertThat(measured.inside()).isCloseTo(truth.inside(), within(0.1));
    assertThat(measured.calibratedSpread()).isCloseTo(truth.calibratedSpread(), within(0.015));
  }

  @Test
  void ridgeFindsALineAndAPenaltyShrinksIt_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    List<double[]> x = new ArrayList<>();
    double[] y = new double[400];
    for (int i = 0; i < y.length; i++) {
      double[] row = {random.nextDouble(), 5 * random.nextDouble(), 1};
      x.add(row);
      y[i] = 2 * row[0] - 0.5 * row[1] + 3;
    }
    RidgeRegression exact = RidgeRegression.fit(x, y, 1e-6);
    assertThat(exact.predict(new double[] {0.25, 2, 1})).isCloseTo(2.5, within(1e-4));
    assertThat(exact.explained(x, y)).isCloseTo(1, within(1e-6));
    RidgeRegression shrunk = RidgeRegression.fit(x, y, 1e9);
    assertThat(shrunk.predict(new double[] {1, 0, 1}))
        .isCloseTo(shrunk.predict(new double[] {0, 5, 1}), within(1e-3));
  }

  /** As the capacity of equal nodes is, until the regression meets others. */
  @Test
  void whatWasConstantButForRoundingTellsNothingWhenItVaries_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    List<double[]> x = new ArrayList<>();
    double[] y = new double[400];
    for (int i = 0; i < y.length; i++) {
      x.add(new double[] {0.3 + 1e-8 * random.nextDouble()});
      y[i] = random.nextDouble();
    }
    RidgeRegression model = RidgeRegression.fit(x, y, 300);
    assertThat(model.predict(new double[] {0.7})).isCloseTo(0.5, within(0.05));
  }
}
