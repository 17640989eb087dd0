package dev.berth.policy.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.LatencyLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** 4 ms when idle: 8 ms at half, 16 ms at three quarters. */
final class LatencyRiskTest {
  private static final LatencyLimits EIGHT_SIXTEEN = new LatencyLimits(8, 16);

  @Test
  void aLimitIsAUsageAndTheChanceToBeAboveItIsThatOfANormalError() {
    assertThat(LatencyRisk.idleMillis(8, 0.5)).isEqualTo(4);
    // At the soft limit half the time is above it; the hard one is 3.6 deviations away.
    assertThat(LatencyRisk.of(0.5, 4, EIGHT_SIXTEEN)).isCloseTo(0.5 + 0.0018, within(0.001));
    // One deviation below the soft limit: 15.87 %.
    assertThat(LatencyRisk.of(0.43, 4, EIGHT_SIXTEEN)).isCloseTo(0.1587, within(0.001));
    // At the hard limit: surely above the soft one, half the time tenfold.
    assertThat(LatencyRisk.of(0.75, 4, EIGHT_SIXTEEN)).isCloseTo(6, within(0.001));
  }

  @Test
  void anAbsentLimitCannotBeMissedAndPodsAddUp() {
    LatencyLimits softOnly = new LatencyLimits(8, Double.NaN);
    assertThat(LatencyRisk.of(0.99, 4, softOnly)).isCloseTo(1, within(0.001));
    assertThat(LatencyRisk.of(0.99, 4, LatencyLimits.NONE)).isZero();
    assertThat(LatencyRisk.of(0.5, 4, Map.of(softOnly, 3, LatencyLimits.NONE, 5)))
        .isCloseTo(1.5, within(0.001));
  }

  @Test
  void aNodeThatIsSlowWhenIdleKeepsNoLimit() {
    assertThat(LatencyRisk.of(0, 20, EIGHT_SIXTEEN)).isCloseTo(11, within(0.01));
  }
}
