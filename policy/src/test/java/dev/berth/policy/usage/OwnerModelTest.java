package dev.berth.policy.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.usage.UsageConfig.Part;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerModelTest {
  private static final double[] HORIZONS = {0, 300, 900, 1800, 3000};

  /** What is left out because it adds nothing must add nothing: to the last bit. */
  @ParameterizedTest(name = "harmonics {0}, excess {1}, ends {2}, seed 1")
  @CsvSource({"true,0.2,3", "true,0,3", "true,-0.1,0", "true,0,0", "false,0.2,3", "false,0,0"})
  void aForecastIsTheModelsOwnFormulaToTheLastBit(boolean harmonics, double excess, double ends) {
    UsageConfig config =
        harmonics ? UsageConfig.DEFAULT : UsageConfig.DEFAULT.without(Part.TIME_OF_DAY);
    int size = harmonics ? OwnerModel.MAX_STATE : 2;
    SplittableRandom random = new SplittableRandom(1);
    OwnerModel owner = new OwnerModel(config, new TimeOfDay(config.daySeconds()), 0.6, 0, 0, 0);
    double[] mean = new double[size];
    for (int i = 0; i < size; i++) {
      mean[i] = i == 0 ? 0.7 : 0.2 * random.nextDouble() - 0.1;
    }
    mean[size - 1] = excess;
    double learnedAt = 1000;
    owner.podStarted(0);
    owner.restore(
        new OwnerModel.Snapshot(learnedAt, 1000, 5000, ends, 0.1, mean, new double[size * size]),
        1000,
        1000);
    double[] regressor = new double[size];
    for (double clusterHazard : new double[] {0, 1e-4}) {
      for (double now : new double[] {900, 1000, 1000.5, 4321.7, 90_000}) {
        owner.refreshHazard(now, clusterHazard);
        double[] forecast = owner.forecast(now, HORIZONS);
        double hazard = owner.hazard();
        for (int h = 0; h < HORIZONS.length; h++) {
          double t = Math.floor(now) + HORIZONS[h];
          owner.regressor(t, regressor);
          double ratio = 0;
          for (int i = 0; i < size - 1; i++) {
            ratio += regressor[i] * mean[i];
          }
          ratio += excess * Math.exp(-Math.log(2) * Math.max(0, t - learnedAt) / 180);
          assertThat(forecast[h]).isEqualTo(Math.max(0.02, ratio));
          assertThat(forecast[HORIZONS.length + h]).isEqualTo(Math.exp(-hazard * HORIZONS[h]));
        }
      }
    }
  }
}
