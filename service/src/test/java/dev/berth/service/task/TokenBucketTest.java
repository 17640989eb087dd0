package dev.berth.service.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final TokenBucket bucket = new TokenBucket(2, 10);

  @Test
  void aBurstMayTakeAllAtOnceAndNoMore() {
    assertThat(taken(0, 100)).isEqualTo(10);
  }

  @Test
  void afterABurstItLetsItsRateThrough() {
    taken(0, 100);

    int later = 0;
    for (int tenth = 1; tenth <= 1000; tenth++) {
      later += taken(tenth / 10.0, 5);
    }

    assertThat(later).isBetween(199, 201);
  }

  @Test
  void aLongPauseFillsItButNotAboveItsBrim() {
    taken(0, 100);

    assertThat(taken(1_000, 100)).isEqualTo(10);
  }

  @Test
  void aClockThatStepsBackAddsNothingAndGoesOnFromThere() {
    taken(1_000, 100);

    assertThat(taken(10, 100)).isZero();
    assertThat(taken(11, 100)).isEqualTo(2);
  }

  private int taken(double now, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += bucket.take(now) ? 1 : 0;
    }
    return taken;
  }
}
