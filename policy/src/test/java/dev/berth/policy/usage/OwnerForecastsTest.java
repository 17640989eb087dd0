package dev.berth.policy.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerForecastsTest {
  private static final double[] NOW = {0};

  private final OwnerModels owners = new OwnerModels(UsageConfig.DEFAULT);
  private final OwnerForecasts forecasts = new OwnerForecasts(owners);

  private double ratio(OwnerModel owner) {
    int at = forecasts.at(owner.number());
    return forecasts.values()[at];
  }

  @Test
  void aForecastStandsForASecond() {
    owners.admit("web", 0);
    int round = forecasts.begin(10.1, NOW);
    assertThat(forecasts.begin(10.9, NOW)).isEqualTo(round);
    assertThat(forecasts.begin(11, NOW)).isNotEqualTo(round);
  }

  @Test
  void whatIsLearnedWithinTheSecondCounts() {
    OwnerModel web = owners.admit("web", 0);
    forecasts.begin(10, NOW);
    double before = ratio(web);
    web.estimate.mean[0] = before + 1;
    web.estimate.version++;
    owners.changed();
    forecasts.begin(10, NOW);
    assertThat(ratio(web)).isEqualTo(before + 1);
  }

  @Test
  void whoTakesANumberOverDoesNotInheritTheForecast() {
    OwnerModel gone = owners.admit("gone", 0);
    gone.estimate.mean[0] = 2;
    forecasts.begin(10, NOW);
    assertThat(ratio(gone)).isEqualTo(2);
    owners.forgetIdle(1, 1, new UsageFilter(UsageConfig.DEFAULT));
    OwnerModel next = owners.admit("next", 1);
    assertThat(next.number()).isEqualTo(gone.number());
    forecasts.begin(10, NOW);
    assertThat(ratio(next)).isLessThan(1);
  }
}
