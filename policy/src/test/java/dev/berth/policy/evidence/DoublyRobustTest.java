package dev.berth.policy.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.evidence.DoublyRobust.Taken;
import dev.berth.policy.evidence.DoublyRobust.Wanted;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A bandit that is known: what is taken is 0, 1 or 2, drawn with 1/2, 1/4 and 1/4. Added in just
 * these shares, a mean over decisions is the expectation itself, without any chance.
 */
class DoublyRobustTest {
  private static final double[] DRAWN = {0.5, 0.25, 0.25};
  private static final int[] OF_FOUR = {0, 0, 1, 2};
  private static final double[] EARNS = {1, 3, -2};
  private static final double[] RIGHT = EARNS;
  private static final double[] WRONG = {7, -5, 0.5};

  /** Takes 1 more often than not, against always taking 0. */
  private static final double[] OTHER = {0.2, 0.7, 0.1};

  private static final double[] OVER = {1, 0, 0};
  private static final double GAIN = 0.2 * 1 + 0.7 * 3 + 0.1 * -2 - 1;

  private static DoublyRobust bandit(double[] probabilities, double[] model, int rounds) {
    DoublyRobust estimate = new DoublyRobust();
    for (int round = 0; round < rounds; round++) {
      for (int taken : OF_FOUR) {
        estimate.add(
            round % 7,
            round / 10,
            new Taken(probabilities[taken], EARNS[taken], model[taken]),
            new Wanted(OTHER[taken], mean(OTHER, model)),
            new Wanted(OVER[taken], mean(OVER, model)));
      }
    }
    return estimate;
  }

  private static double mean(double[] probabilities, double[] values) {
    double mean = 0;
    for (int i = 0; i < values.length; i++) {
      mean += probabilities[i] * values[i];
    }
    return mean;
  }

  private static double gain(double[] probabilities, double[] model) {
    return bandit(probabilities, model, 100).estimate().orElseThrow().gain();
  }

  @Test
  void withTheRightProbabilitiesItIsExactWhateverTheModelSays() {
    assertThat(gain(DRAWN, WRONG)).isCloseTo(GAIN, within(1e-12));
    assertThat(gain(DRAWN, new double[3])).isCloseTo(GAIN, within(1e-12));
  }

  @Test
  void withTheRightModelItIsExactWhateverTheProbabilities() {
    assertThat(gain(new double[] {0.9, 0.3, 0.1}, RIGHT)).isCloseTo(GAIN, within(1e-12));
  }

  @Test
  void withNeitherItIsWrong() {
    assertThat(Math.abs(gain(new double[] {0.9, 0.3, 0.1}, WRONG) - GAIN)).isGreaterThan(0.5);
  }

  /** Without the model's help its variance is 20 times that with it, by the sum over the bandit. */
  @Test
  void theModelMakesItSurer_seed1() {
    assertThat(drawn(1, RIGHT).error()).isLessThan(drawn(1, WRONG).error() / 3);
  }

  @Test
  void drawnAnewItsIntervalHoldsTheTruthAsOftenAsItSays_seeds1To200() {
    int held = 0;
    for (int seed = 1; seed <= 200; seed++) {
      Estimate found = drawn(seed, WRONG);
      held += found.lower(0.025) <= GAIN && GAIN <= found.upper(0.025) ? 1 : 0;
    }
    assertThat(held).isBetween(183, 199);
  }

  /** Drawn by chance, and what is earned varies. */
  private static Estimate drawn(long seed, double[] model) {
    SplittableRandom random = new SplittableRandom(seed);
    DoublyRobust estimate = new DoublyRobust();
    for (int i = 0; i < 2_000; i++) {
      int taken = OF_FOUR[random.nextInt(4)];
      estimate.add(
          random.nextInt(40),
          i / 50,
          new Taken(DRAWN[taken], EARNS[taken] + random.nextGaussian(), model[taken]),
          new Wanted(OTHER[taken], mean(OTHER, model)),
          new Wanted(OVER[taken], mean(OVER, model)));
    }
    return estimate.estimate().orElseThrow();
  }

  @Test
  void ofThePolicyThatDrewThemEveryDecisionCounts() {
    DoublyRobust same = new DoublyRobust();
    for (int i = 0; i < 400; i++) {
      double p = DRAWN[OF_FOUR[i % 4]];
      same.add(i, i, new Taken(p, 1, 0), new Wanted(p, 0), new Wanted(p, 0));
    }
    assertThat(same.effective()).isCloseTo(400, within(1e-9));
    assertThat(same.estimate().orElseThrow().gain()).isZero();
  }

  @Test
  void aFewHeavyDecisionsAmongManyAreTooFewToTell() {
    DoublyRobust few = new DoublyRobust();
    for (int i = 0; i < 10_000; i++) {
      boolean hit = i % 1_000 == 0;
      few.add(i, i, new Taken(hit ? 0.001 : 0.99, 1, 0), new Wanted(hit ? 1 : 0, 0), NOTHING);
    }
    assertThat(few.effective()).isCloseTo(10, within(1e-9));
    assertThat(few.estimate()).isEmpty();
    assertThat(new DoublyRobust().effective()).isZero();
  }

  private static final Wanted NOTHING = new Wanted(0, 0);

  @Test
  void whatCannotHaveBeenDrawnIsRefused() {
    assertThatThrownBy(() -> new Taken(0, 1, 1)).hasMessageContaining("probability 0.0");
    assertThatThrownBy(() -> new Taken(Double.NaN, 1, 1)).hasMessageContaining("NaN");
  }
}
