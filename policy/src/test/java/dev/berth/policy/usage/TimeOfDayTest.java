package dev.berth.policy.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeOfDayTest {
  private static final double DAY = 86_400;

  @Test
  void wavesAreThoseOfTheInstantWhateverWasAskedBefore() {
    TimeOfDay time = new TimeOfDay(DAY);
    for (int round = 0; round < 3; round++) {
      for (double t : new double[] {0, -5, 100, 1.7e9, 100, 300, 900, 1800, 3000, 1e5, 2e5, 0}) {
        double angle = 2 * Math.PI * t / DAY;
        assertThat(time.at(t))
            .containsExactly(
                Math.cos(angle), Math.sin(angle), Math.cos(2 * angle), Math.sin(2 * angle));
      }
    }
  }
}
