package dev.berth.policy.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.network.Forward;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tensor layer against plain Java and against finite differences. */
final class GradientTest {
  private static final int DECISIONS = 3;
  private static final int WIDTH = 5;
  private static final int INPUTS = 4;

  static Stream<NetworkSpec> networks() {
    return Stream.of(
        NetworkSpec.mlp(INPUTS, List.of(6, 5), 1),
        NetworkSpec.mlp(INPUTS, List.of(6, 5), 1).withTanh(),
        new NetworkSpec(INPUTS, List.of(6), 1, false, true),
        new NetworkSpec(INPUTS, List.of(6, 5), 1, true, true));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void plainJavaForwardEqualsTheEngine(NetworkSpec spec) {
    Weights weights = Weights.random(spec, new SplittableRandom(1));
    Rows rows = rows(2);
    float[] ours = Forward.run(weights, rows);
    float[] engine = Learner.forward(weights, rows);
    for (int i = 0; i < ours.length; i++) {
      if (rows.valid()[i]) {
        assertThat(ours[i]).isCloseTo(engine[i], within(1e-5f));
      }
    }
  }

  static Stream<Arguments> losses() {
    SplittableRandom random = new SplittableRandom(3);
    Rows after = rows(4);
    Rows before = after.with(features(5));
    float[] numbers = numbers(random, after.size());
    float[] weights = new float[after.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = after.valid()[i] ? 1 + random.nextInt(3) : 0;
    }
    int[] zero = new int[after.size()];
    int[] actions = new int[after.size()];
    Arrays.setAll(actions, i -> i % 2);
    NetworkSpec scalar = new NetworkSpec(INPUTS, List.of(6), 1, true, true);
    NetworkSpec three = NetworkSpec.mlp(INPUTS, List.of(6), 3);
    return Stream.of(
        Arguments.of(scalar, new Loss.Regression(after, zero, numbers, weights, true)),
        Arguments.of(three, new Loss.Regression(after, actions, numbers, weights, false)),
        Arguments.of(scalar, new Loss.Difference(after, before, numbers, weights)),
        Arguments.of(scalar, new Loss.CandidatePolicy(after, before, numbers, 0.5f, 0.1f)),
        Arguments.of(three, new Loss.ActorCritic(after, actions, numbers, weights, 0.5f, 0.01f)),
        Arguments.of(
            three.withTanh(), new Loss.ActorCritic(after, actions, numbers, weights, 0.5f, 0.01f)));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void gradientEqualsFiniteDifferences(NetworkSpec spec, Loss loss) {
    Weights weights = Weights.random(spec, new SplittableRandom(6));
    Map<String, float[]> gradient = Learner.gradient(weights, loss).values();
    float step = 3e-3f;
    for (NetworkSpec.Parameter p : spec.parameters()) {
      int i = p.size() / 2;
      float up = Learner.gradient(nudged(weights, p.name(), i, step), loss).loss();
      float down = Learner.gradient(nudged(weights, p.name(), i, -step), loss).loss();
      float numeric = (up - down) / (2 * step);
      assertThat(gradient.get(p.name())[i])
          .as(p.name())
          .isCloseTo(numeric, within(2e-3f + 0.03f * Math.abs(numeric)));
    }
  }

  private static Weights nudged(Weights w, String name, int i, float by) {
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : w.spec().parameters()) {
      values.put(p.name(), w.get(p.name()).clone());
    }
    values.get(name)[i] += by;
    return new Weights(w.spec(), values);
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
