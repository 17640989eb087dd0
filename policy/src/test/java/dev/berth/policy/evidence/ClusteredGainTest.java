package dev.berth.policy.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Means of decisions that depend on each other, and the levels of repeated looks. */
final class ClusteredGainTest {

  /** Two windows and two owners, by hand: mean 2, sums of both kinds of clusters 2 and 6. */
  @Test
  void theErrorIsThatOfTheFormula() {
    ClusteredGain gain = new ClusteredGain();
    gain.add(0, 1, 0);
    gain.add(1, 1, 2);
    gain.add(0, 2, 2);
    gain.add(1, 2, 4);
    Estimate e = gain.estimate();
    double each = 2 * (4 + 4) / 16.0; // G / (G - 1) sum (S - mean n)^2 / N^2
    double both = 4 / 3.0 * (4 + 4) / 16;
    assertThat(e.gain()).isEqualTo(2);
    assertThat(e.error()).isCloseTo(Math.sqrt(each + each - both), within(1e-12));
    assertThat(e.freedom()).isEqualTo(1);
    gain.add(0, 3, 2);
    gain.add(1, 3, 2);
    assertThat(gain.estimate().error()).as("never below that of either").isGreaterThan(0.66);
  }

  @Test
  void theGainOfTwoArmsIsTheDifferenceOfTheirMeans() {
    ClusteredGain gain = new ClusteredGain();
    for (int i = 0; i < 40; i++) {
      gain.add(i % 2 == 0, i, i / 4, i % 2 == 0 ? 3 : 1);
    }
    assertThat(gain.estimate().gain()).isEqualTo(2);
    assertThat(gain.tried()).isEqualTo(20);
    assertThat(gain.decisions()).isEqualTo(40);
  }

  /** The interval holds the truth about as often as it says, whatever decisions share. */
  @Test
  void ninetyFivePercentIntervalsHoldTheTruth_seeds1To400() {
    int holds = 0;
    int naive = 0;
    for (int seed = 1; seed <= 400; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] ofOwner = random.doubles(40, -1, 1).toArray();
      ClusteredGain gain = new ClusteredGain();
      double sum = 0;
      double squares = 0;
      for (int window = 0; window < 30; window++) {
        double shared = random.nextGaussian();
        for (int i = 0; i < 10; i++) {
          int owner = random.nextInt(40);
          double value = 5 + shared + ofOwner[owner] + random.nextGaussian();
          gain.add(owner, window, value);
          sum += value;
          squares += value * value;
        }
      }
      Estimate e = gain.estimate();
      holds += e.lower(0.025) < 5 && e.upper(0.025) > 5 ? 1 : 0;
      double mean = sum / 300;
      double error = Math.sqrt((squares / 300 - mean * mean) / 300);
      naive += Math.abs(mean - 5) < 1.96 * error ? 1 : 0;
    }
    assertThat(holds).isBetween(368, 396);
    assertThat(naive).as("taken for independent").isLessThan(320);
  }

  @Test
  void fewClustersSayNothingHoweverEvenTheyAre() {
    ClusteredGain gain = new ClusteredGain();
    assertThat(gain.estimate()).isEqualTo(Estimate.NONE);
    assertThat(Estimate.NONE.lower(0.025)).isEqualTo(Double.NEGATIVE_INFINITY);
    for (int window = 0; window < 5; window++) {
      gain.add(window, window, 1);
    }
    assertThat(gain.estimate().lower(0.025)).as("1 in 32").isEqualTo(Double.NEGATIVE_INFINITY);
    gain.add(5, 5, 1);
    assertThat(gain.estimate().lower(0.025)).as("1 in 64").isEqualTo(1);
    assertThat(gain.estimate().lower(0.01)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void noDifferenceIsNoGain() {
    ClusteredGain gain = new ClusteredGain();
    for (int i = 0; i < 100; i++) {
      gain.add(i, i, 0);
    }
    assertThat(gain.estimate().lower(0.025)).isZero();
    assertThat(gain.estimate().words()).isEqualTo("gains 0.0000 (standard error 0.0000)");
  }

  @Test
  void whatIsWrittenGoesOnAsIfNothingHadHappened_seed1() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ClusteredGain whole = new ClusteredGain();
    ClusteredGain part = new ClusteredGain();
    for (int i = 0; i < 200; i++) {
      boolean tried = random.nextBoolean();
      int owner = random.nextInt();
      double value = random.nextGaussian();
      whole.add(tried, owner, i / 7, value);
      part.add(tried, owner, i / 7, value);
      if (i == 101) { // in the middle of a window
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        part.write(new DataOutputStream(bytes));
        part =
            ClusteredGain.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
      }
    }
    assertThat(part.estimate().error()).isCloseTo(whole.estimate().error(), within(1e-12));
    assertThat(part.estimate().gain()).isCloseTo(whole.estimate().gain(), within(1e-12));
    assertThat(part.estimate().freedom()).isEqualTo(whole.estimate().freedom());
  }

  @Test
  void allLooksTogetherSpendTheLevelAndWaitForEvidence() {
    Looks looks = new Looks(0.05, 20);
    double spent = 0;
    int taken = 0;
    for (int n = 1; n <= 100_000; n++) {
      if (looks.due(n, Math.min(n, 1000))) {
        spent += looks.take(n);
        taken++;
      }
    }
    assertThat(spent).isBetween(0.049, 0.05);
    assertThat(taken).isBetween(400, 440);
    assertThat(looks.due(100_001, 1000)).isFalse();
  }

  @Test
  void halvesOfOwnersAreHalvesAndOthersForEveryVersion() {
    int met = 0;
    int both = 0;
    for (int i = 0; i < 1000; i++) {
      boolean second = Owners.meets("shop/Deployment/web-" + i, 2);
      met += second ? 1 : 0;
      both += second && Owners.meets("shop/Deployment/web-" + i, 3) ? 1 : 0;
    }
    assertThat(met).isBetween(450, 550);
    assertThat(both).isBetween(200, 300);
  }
}
