package dev.berth.policy.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.network.Forward;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.network.Workspace;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outputs, losses and gradients against the formulas in double and their finite differences. */
final class GradientTest {
  private static final int DECISIONS = 3;
  private static final int WIDTH = 5;
  private static final int INPUTS = 4;

  /** Of the largest number: what single precision leaves over. */
  private static final double ROUNDING = 1e-5;

  /** Every part of a network with and without the others; layers of fewer and more than 8 units. */
  static Stream<NetworkSpec> networks(int outputs) {
    NetworkSpec groups = new NetworkSpec(INPUTS, List.of(13, 5), outputs, true, true);
    return Stream.of(
        NetworkSpec.mlp(INPUTS, List.of(), outputs),
        NetworkSpec.mlp(INPUTS, List.of(6, 13), outputs),
        NetworkSpec.mlp(INPUTS, List.of(13, 6), outputs).withTanh(),
        new NetworkSpec(INPUTS, List.of(10), outputs, false, true),
        new NetworkSpec(INPUTS, List.of(6, 9), outputs, true, false),
        groups,
        groups.withTanh());
  }

  static Stream<Arguments> losses() {
    SplittableRandom random = new SplittableRandom(3);
    Rows after = rows(4);
    Rows before = after.with(features(5));
    float[] numbers = numbers(random, after.size());
    // Errors on both sides of where Huber's loss turns straight.
    float[] targets = numbers.clone();
    for (int i = 0; i < targets.length; i++) {
      targets[i] *= 3;
    }
    float[] weights = new float[after.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = after.valid()[i] ? 1 + random.nextInt(3) : 0;
    }
    int[] zero = new int[after.size()];
    int[] actions = new int[after.size()];
    Arrays.setAll(actions, i -> i % 2);
    Stream<Arguments> ofOneOutput =
        Stream.of(
                new Loss.Regression(after, zero, targets, weights, true),
                new Loss.Difference(after, before, targets, weights),
                new Loss.CandidatePolicy(after, before, numbers, 0.5f, 0.1f))
            .flatMap(loss -> networks(1).map(spec -> Arguments.of(spec, loss)));
    Stream<Arguments> ofSeveral =
        Stream.of(
                new Loss.Regression(after, actions, targets, weights, false),
                new Loss.ActorCritic(after, actions, numbers, targets, 0.5f, 0.01f))
            .flatMap(
                loss ->
                    Stream.concat(networks(3), networks(9)).map(spec -> Arguments.of(spec, loss)));
    return Stream.concat(ofOneOutput, ofSeveral);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void lossAndItsGradientByEveryParameterEqualFiniteDifferences_seed6(NetworkSpec spec, Loss loss) {
    Weights weights = Weights.random(spec, new SplittableRandom(6));
    LossInDouble reference = new LossInDouble(weights);
    Learner.Gradient gradient = Learner.gradient(weights, loss);
    double value = reference.of(loss);
    assertThat((double) gradient.loss()).isCloseTo(value, within(ROUNDING * Math.abs(value)));
    double largest = 0;
    for (float[] g : gradient.values().values()) {
      for (float x : g) {
        largest = Math.max(largest, Math.abs(x));
      }
    }
    for (Map.Entry<String, float[]> p : gradient.values().entrySet()) {
      for (int i = 0; i < p.getValue().length; i++) {
        assertThat((double) p.getValue()[i])
            .as(p.getKey() + " " + i)
            .isCloseTo(reference.slope(loss, p.getKey(), i), within(ROUNDING * largest));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void aWorkspaceThatWasUsedBeforeChangesNothing_seed6(NetworkSpec spec, Loss loss) {
    Weights weights = Weights.random(spec, new SplittableRandom(6));
    Workspace used = new Workspace();
    Map<String, float[]> values = new LinkedHashMap<>();
    LossGradient.of(Weights.random(spec, new SplittableRandom(7)), loss, used, values);
    Learner.Gradient again = LossGradient.of(weights, loss, used, values);
    Learner.Gradient first = Learner.gradient(weights, loss);
    assertThat(again.loss()).isEqualTo(first.loss());
    first
        .values()
        .forEach((name, g) -> assertThat(again.values().get(name)).as(name).containsExactly(g));
  }

  static Stream<NetworkSpec> networks() {
    return Stream.concat(networks(1), networks(9));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void outputsOfValidRowsEqualTheFormula_seed1(NetworkSpec spec) {
    Weights weights = Weights.random(spec, new SplittableRandom(1));
    Rows rows = rows(2);
    float[] ours = Forward.run(weights, rows);
    double[][] formula = new LossInDouble(weights).outputs(rows);
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; rows.valid()[i] && j < spec.outputs(); j++) {
        assertThat((double) ours[i * spec.outputs() + j]).isCloseTo(formula[i][j], within(1e-5));
      }
    }
  }

  static Rows rows(long seed) {
    int n = DECISIONS * WIDTH;
    boolean[] valid = new boolean[n];
    int[][] groups = Rows.noGroups(n);
    for (int i = 0; i < n; i++) {
      valid[i] = i % WIDTH < WIDTH - i / WIDTH;
      groups[0][i] = i % 2;
      groups[1][i] = i % 3 == 0 ? -1 : 0;
      groups[2][i] = i % 4 == 1 ? 0 : -1;
    }
    return new Rows(DECISIONS, WIDTH, features(seed), valid, groups);
  }

  private static float[] features(long seed) {
    return numbers(new SplittableRandom(seed), DECISIONS * WIDTH * INPUTS);
  }

  private static float[] numbers(SplittableRandom random, int n) {
    float[] out = new float[n];
    for (int i = 0; i < n; i++) {
      out[i] = 2 * (float) random.nextDouble() - 1;
    }
    return out;
  }
}
