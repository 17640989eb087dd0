package dev.berth.service.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.predict.NowCheck;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingsTest {
  private NowCheck.Totals totals = NowCheck.Totals.NONE;
  private boolean wanted = true;
  private int asked;
  private final List<double[]> made = new ArrayList<>();
  private final Readings readings = new Readings(() -> totals, () -> wanted, made::add);

  /** A snapshot in which forecasts were held against so many samples. */
  private void observe(int compared, double error) {
    totals = new NowCheck.Totals(totals.compared() + compared, totals.absolute() + error);
    readings.observed(
        () -> {
          asked++;
          return new double[] {0.1, 0.9};
        });
  }

  @Test
  void aReadingIsSpreadOverloadAndTheErrorSinceTheLastSnapshot() {
    observe(2, 0.5);
    observe(4, 0.1);
    assertThat(made.get(1)).containsExactly(new double[] {0.4, 0.5, 0.025}, within(1e-12));
  }

  @Test
  void withoutNewsThereIsNone() {
    observe(0, 0);
    assertThat(made).isEmpty();
  }

  @Test
  void whileNoExperimentRunsNothingIsReckonedAndItsErrorsDoNotCountLater() {
    wanted = false;
    observe(2, 0.9);
    assertThat(asked).isZero();
    wanted = true;
    observe(2, 0.02);
    assertThat(made).hasSize(1);
    assertThat(made.get(0)[2]).isEqualTo(0.01, within(1e-12));
  }
}
