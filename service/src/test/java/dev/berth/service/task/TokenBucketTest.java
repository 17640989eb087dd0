package dev.berth.service.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final TokenBucket bucket = new TokenBucket(2, 10, new SplittableRandom(1));

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
  void aClockThatGoesBackAndForthAddsNothing() {
    taken(1_000, 100);

    int again = 0;
    for (int i = 0; i < 100; i++) {
      again += taken(999, 10) + taken(1_000, 10);
    }
    assertThat(again).isZero();
  }

  @Test
  void whoGivesOneBackLeavesItToTheNext() {
    taken(0, 100);

    for (int i = 0; i < 3; i++) {
      bucket.giveBack();
    }

    assertThat(taken(0, 100)).isEqualTo(3);
  }

  /** Four a second, by turns, of which two may: without a lot it was always the first of them. */
  @Test
  void ofTwoWhoAskByTurnsEachGetsHalf() {
    taken(0, 100);

    int[] got = new int[2];
    for (int i = 1; i <= 4_000; i++) {
      got[i % 2] += taken(i / 4.0, 1);
    }

    assertThat(got[0]).isBetween(850, 1150);
    assertThat(got[0] + got[1]).isBetween(1_990, 2_010);
  }

  private int taken(double now, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; i++) {
      taken += bucket.take(now) ? 1 : 0;
    }
    return taken;
  }
}
