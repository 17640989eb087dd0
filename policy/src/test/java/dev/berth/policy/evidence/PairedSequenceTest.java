package dev.berth.policy.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An interval that may be looked at after every difference. */
class PairedSequenceTest {
  private static final double ALPHA = 0.05;

  @Test
  void lookedAtAfterEveryDifferenceItMissesTheTruthInAtMostOneOfTwentySequences_seeds1To1000() {
    int missed = 0;
    for (int seed = 1; seed <= 1000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PairedSequence sequence = new PairedSequence();
      boolean ever = false;
      for (int i = 0; i < 300; i++) {
        // heavy tails, and a spread that grows and shrinks
        double size = (1 + Math.sin(i / 20.0)) / Math.sqrt(random.nextDouble(0.05, 1));
        sequence.add(3 + size * random.nextGaussian());
        ever |= sequence.excludes(3, ALPHA);
      }
      missed += ever ? 1 : 0;
    }
    assertThat(missed).isBetween(1, 50);
  }

  @Test
  void aDifferenceOfHalfItsSpreadIsFoundWithinSixtyPairs_seeds1To100() {
    int found = 0;
    for (int seed = 1; seed <= 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PairedSequence sequence = new PairedSequence();
      for (int i = 0; i < 60; i++) {
        sequence.add(0.5 + random.nextGaussian());
      }
      found += sequence.lower(ALPHA) > 0 ? 1 : 0;
    }
    assertThat(found).isGreaterThan(60);
  }

  @Test
  void theIntervalEndsWhereTheEvidenceReachesItsBound() {
    SplittableRandom random = new SplittableRandom(1);
    PairedSequence sequence = new PairedSequence();
    for (int i = 0; i < 50; i++) {
      sequence.add(2 + random.nextGaussian());
    }
    assertThat(sequence.mean()).isBetween(sequence.lower(ALPHA), sequence.upper(ALPHA));
    double upper = sequence.upper(ALPHA);
    assertThat(sequence.excludes(upper + 1e-9, ALPHA)).isTrue();
    assertThat(sequence.excludes(upper - 1e-6, ALPHA)).isFalse();
    assertThat(sequence.upper(0.01)).as("surer is wider").isGreaterThan(upper);
  }

  /**
   * The evidence against a far value is small where there are few differences, and it must say so.
   */
  @Test
  void whatItExcludesItExcludesToInfinity_seeds1To50() {
    for (int seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PairedSequence sequence = new PairedSequence();
      for (int i = 0; i < 25; i++) {
        sequence.add(2 + random.nextGaussian());
        double upper = sequence.upper(ALPHA);
        for (double far = 1.01; far < 1e4; far *= 1.3) {
          assertThat(sequence.excludes(sequence.mean() + far * (upper - sequence.mean()), ALPHA))
              .isEqualTo(Double.isFinite(upper));
        }
      }
    }
  }

  @Test
  void harmThatIsPlainIsFoundWithinTwentyPairs() {
    PairedSequence sequence = new PairedSequence();
    for (int i = 0; i < 20; i++) {
      sequence.add(1 + i % 3);
    }
    assertThat(sequence.lower(ALPHA / 3)).isGreaterThan(0);
  }

  @Test
  void theFirstDifferencesOnlySetTheScaleAndSayNothing() {
    PairedSequence sequence = new PairedSequence();
    for (int i = 0; i < PairedSequence.SCALE; i++) {
      sequence.add(7);
    }
    assertThat(sequence.counted()).isZero();
    assertThat(sequence.mean()).isNaN();
    assertThat(sequence.lower(ALPHA)).isEqualTo(Double.NEGATIVE_INFINITY);
    sequence.add(7);
    assertThat(sequence.upper(ALPHA)).as("one says too little").isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void itSaysHowManyDifferencesItWillNeed() {
    SplittableRandom random = new SplittableRandom(5);
    PairedSequence sequence = new PairedSequence();
    assertThat(sequence.needed(1, ALPHA)).isNaN();
    for (int i = 0; i < 30; i++) {
      sequence.add(random.nextGaussian());
    }
    int needed = (int) Math.ceil(sequence.needed(0.3, ALPHA));
    for (int i = 30; i < needed; i++) {
      sequence.add(random.nextGaussian());
    }
    double halfWidth = (sequence.upper(ALPHA) - sequence.lower(ALPHA)) / 2;
    assertThat(halfWidth).isCloseTo(0.3, within(0.08));
  }

  @Test
  void differencesThatAreAllZeroShowNoDifferenceAndHideNone() {
    PairedSequence sequence = new PairedSequence();
    for (int i = 0; i < 40; i++) {
      sequence.add(0);
    }
    assertThat(sequence.excludes(0, ALPHA)).isFalse();
    for (int i = 0; i < 40; i++) {
      sequence.add(1);
    }
    assertThat(sequence.lower(ALPHA)).as("zeros before it do not hide it").isGreaterThan(0);
  }

  @Test
  void whatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> new PairedSequence().add(Double.NaN)).hasMessageContaining("NaN");
  }
}
