package dev.berth.policy.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.network.Forward;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The optimiser and the DQN target on ground where the answer is known. */
final class LearnerTest {
  private static final double GAMMA = 0.9;

  @Test
  void adamFollowsATraceComputedByHand() {
    NetworkSpec spec = NetworkSpec.mlp(1, List.of(), 1);
    Adam adam = new Adam(spec, 0.1);
    float[] w = {1};
    float[] seen = new float[3];
    float[] gradients = {1, 2, -1};
    for (int i = 0; i < 3; i++) {
      adam.next();
      adam.update("out.weight", w, new float[] {gradients[i]}, 1, 0.1);
      seen[i] = w[0];
    }
    // m = 0.1, 0.29, 0.161; v = 0.001, 0.004999, 0.005994001, each over 1 - beta^t.
    assertThat(seen[0]).isCloseTo(0.9f, within(1e-6f));
    assertThat(seen[1])
        .isCloseTo(
            (float) (0.9 - 0.1 * (0.29 / 0.19) / Math.sqrt(0.004999 / 0.001999)), within(1e-6f));
    assertThat(seen[2])
        .isCloseTo(
            (float) (seen[1] - 0.1 * (0.161 / 0.271) / Math.sqrt(0.005994001 / 0.002997001)),
            within(1e-6f));
  }

  @Test
  void momentsWithoutGradientsDieOutBeforeTheyAreSubnormal() {
    NetworkSpec spec = NetworkSpec.mlp(1, List.of(), 1);
    Adam adam = new Adam(spec, 0.1);
    float[] w = {1};
    for (int i = 0; i < 200_000; i++) {
      adam.next();
      adam.update("out.weight", w, new float[] {i == 0 ? 1 : 0}, 1, 0.1);
    }
    for (float[] moment :
        List.of(adam.moments().first("out.weight"), adam.moments().second("out.weight"))) {
      assertThat(moment[0] == 0 || Math.abs(moment[0]) >= Float.MIN_NORMAL)
          .as("%s is zero or normal", moment[0])
          .isTrue();
    }
  }

  /**
   * Three states in a row: right moves on and pays 1 at the end of the row, left stays and pays
   * 0.05. Value iteration gives the answer. Where the end is terminal, V = 0.81, 0.9, 1; where the
   * episode is only cut off there, the last state goes on paying, V = 8.1, 9, 10.
   */
  @ParameterizedTest(name = "truncated {0}, seed 1")
  @ValueSource(booleans = {false, true})
  void doubleDqnFindsTheClosedFormOfASmallChain(boolean truncated) {
    double stay = 0.05;
    double[][] known = new double[3][2]; // [state][left, right]
    for (int k = 0; k < 2000; k++) {
      for (int s = 0; s < 3; s++) {
        double best = Math.max(known[s][0], known[s][1]);
        double next = s < 2 ? Math.max(known[s + 1][0], known[s + 1][1]) : best;
        known[s][0] = stay + GAMMA * best;
        known[s][1] = s < 2 ? GAMMA * next : 1 + (truncated ? GAMMA * best : 0);
      }
    }
    NetworkSpec spec = NetworkSpec.mlp(3, List.of(24), 2);
    Learner learner =
        new Learner(Weights.random(spec, new SplittableRandom(1)), new Adam(spec, 5e-3), 10);
    float[] states = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    Rows one = Rows.plain(states, 3);
    float[] twice = new float[18];
    System.arraycopy(states, 0, twice, 0, 9);
    System.arraycopy(states, 0, twice, 9, 9);
    Rows both = Rows.plain(twice, 3);
    int[] actions = {0, 0, 0, 1, 1, 1};
    float[] ones = new float[6];
    Arrays.fill(ones, 1);
    Weights target = learner.weights();
    for (int step = 0; step < 3000; step++) {
      float[] online = Forward.run(learner.weights(), one);
      float[] frozen = Forward.run(target, one);
      float[] y = new float[6];
      for (int i = 0; i < 6; i++) {
        int s = i % 3;
        int next = i < 3 || s == 2 ? s : s + 1;
        boolean terminal = i == 5 && !truncated;
        int greedy = online[2 * next + 1] > online[2 * next] ? 1 : 0;
        double reward = i < 3 ? stay : s == 2 ? 1 : 0;
        y[i] = (float) (reward + (terminal ? 0 : GAMMA * frozen[2 * next + greedy]));
      }
      learner.step(new Loss.Regression(both, actions, y, ones, false));
      if (step % 25 == 0) {
        target = learner.weights();
      }
    }
    float[] q = Forward.run(learner.weights(), one);
    for (int s = 0; s < 3; s++) {
      for (int a = 0; a < 2; a++) {
        assertThat((double) q[2 * s + a])
            .isCloseTo(known[s][a], within(1e-2 * Math.max(1, known[s][a])));
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameWeights() {
    assertThat(trained(1).hash()).isEqualTo(trained(1).hash());
    assertThat(trained(1).hash()).isNotEqualTo(trained(2).hash());
  }

  private static Weights trained(long seed) {
    NetworkSpec spec = new NetworkSpec(4, List.of(8), 1, true, true);
    SplittableRandom random = new SplittableRandom(seed);
    Learner learner = new Learner(Weights.random(spec, random), new Adam(spec, 1e-2), 1);
    Rows rows = GradientTest.rows(7);
    float[] ones = new float[rows.size()];
    Arrays.fill(ones, 1);
    for (int i = 0; i < 20; i++) {
      float[] y = new float[rows.size()];
      for (int j = 0; j < y.length; j++) {
        y[j] = (float) random.nextDouble();
      }
      learner.step(new Loss.Regression(rows, new int[rows.size()], y, ones, true));
    }
    return learner.weights();
  }

  @Test
  void aLossThatIsNotFiniteLeavesTheWeightsAlone() {
    NetworkSpec spec = NetworkSpec.mlp(1, List.of(), 1);
    Weights before =
        new Weights(spec, Map.of("out.weight", new float[] {1}, "out.bias", new float[1]));
    Learner learner = new Learner(before, new Adam(spec, 0.1), 1);
    Loss bad =
        new Loss.Regression(
            Rows.plain(new float[] {1}, 1),
            new int[1],
            new float[] {Float.NaN},
            new float[] {1},
            false);
    assertThatThrownBy(() -> learner.step(bad)).isInstanceOf(ArithmeticException.class);
    assertThat(learner.weights()).isEqualTo(before);
  }
}
