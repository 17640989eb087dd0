package dev.berth.policy.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  private static final double AMPLE = Double.POSITIVE_INFINITY;

  private static double[] kept(double[] room, double... preferences) {
    MemoryLimit.keep(room, preferences);
    return preferences;
  }

  @Test
  void whoHasNoMemoryForThePodComesBehindAllWhoHave() {
    double[] kept = kept(new double[] {0.9, 1, AMPLE, -3}, 5, 0.2, 0.1, 0.4);
    assertThat(kept).containsExactly(new double[] {0.09, 0.2, 0.1, 0.09}, within(1e-12));
  }

  @Test
  void whoIsBehindAnywayStaysWhereItIs() {
    assertThat(kept(new double[] {0, 2, 2}, -7, 1, 2)).containsExactly(-7, 1, 2);
  }

  @Test
  void whereNobodyHasRoomOrAllHaveNothingChanges() {
    assertThat(kept(new double[] {0, 0.5}, 3, 1)).containsExactly(3, 1);
    assertThat(kept(new double[] {1, AMPLE}, 3, 1)).containsExactly(3, 1);
  }

  @Test
  void itHoldsAmongAlikeCandidatesAndBesideOneOfWhichNothingIsKnown() {
    assertThat(kept(new double[] {0, 2, 2}, 1, 1, 1)[0]).isLessThan(1);
    double[] kept = kept(new double[] {0, 2, 2, 2}, 1, 0.5, Double.NaN, 0.7);
    assertThat(kept[0]).isLessThan(0.5);
    assertThat(kept[2]).isNaN();
  }

  @Test
  void ofARankingANodeIsBehindOnceItsMemoryIsFull() {
    double[] room = {2.9, AMPLE, 0.5};
    double[] preferences = {1, 0, 2};
    double[] drops = {0.01, 0.01, 0.01};
    MemoryLimit.keep(room, preferences, drops);
    assertThat(preferences[2]).isLessThan(0);
    assertThat(preferences[0] - drops[0]).isGreaterThan(preferences[1]); // one came, one more fits
    assertThat(preferences[0] - 2 * drops[0]).isLessThan(preferences[1]);
    assertThat(drops[1]).isEqualTo(0.01);
  }

  /** A scheduler refuses a ranking with such a drop whole. */
  @Test
  void aNodeOfWhichNothingIsKnownHasADropAllTheSame() {
    double[] drops = {0.01, 0.01, 0.01};
    MemoryLimit.keep(new double[] {2, AMPLE, 2}, new double[] {Double.NaN, 0, 1}, drops);
    assertThat(drops[0]).isEqualTo(0.01);
  }
}
