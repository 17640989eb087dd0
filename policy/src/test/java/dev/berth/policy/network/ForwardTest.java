package dev.berth.policy.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The forward pass against the formula, in every part that GradientTest does not ask for. */
class ForwardTest {
  private static final int INPUTS = 13;
  private static final NetworkSpec SPEC = new NetworkSpec(INPUTS, List.of(11, 5), 1, false, true);

  private static float[] numbers(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] x = new float[count];
    for (int i = 0; i < count; i++) {
      x[i] = (float) random.nextGaussian();
    }
    return x;
  }

  @Test
  void every_row_equals_the_formula_seed_4() {
    Weights w = Weights.random(SPEC, new SplittableRandom(4));
    float[] x = numbers(9 * INPUTS, 4);
    float[] values = Forward.run(w, x, 9);
    for (int row = 0; row < 9; row++) {
      double[] input = new double[INPUTS];
      for (int i = 0; i < INPUTS; i++) {
        input[i] = x[row * INPUTS + i];
      }
      double[] h = layer(layer(input, w, "layer0", true), w, "layer1", true);
      double value =
          layer(h, w, "out", false)[0] + product(input, w.get("skip.weight"), 1, new double[1])[0];
      assertThat((double) values[row]).isCloseTo(value, within(1e-5));
    }
  }

  private static double[] layer(double[] x, Weights w, String name, boolean relu) {
    float[] bias = w.get(name + ".bias");
    double[] y = new double[bias.length];
    Arrays.setAll(y, i -> bias[i]);
    product(x, w.get(name + ".weight"), y.length, y);
    return relu ? Arrays.stream(y).map(v -> Math.max(0, v)).toArray() : y;
  }

  private static double[] product(double[] x, float[] matrix, int width, double[] y) {
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < width; j++) {
        y[j] += x[i] * matrix[i * width + j];
      }
    }
    return y;
  }

  @Test
  void a_row_is_worth_the_same_to_the_last_bit_whatever_stands_beside_it_seed_5() {
    Weights w = Weights.random(SPEC, new SplittableRandom(5));
    float[] x = numbers(150 * INPUTS, 5);
    float[] together = Forward.run(w, x, 150);
    for (int row = 0; row < 150; row++) {
      float[] alone = Arrays.copyOfRange(x, row * INPUTS, (row + 1) * INPUTS);
      assertThat(Forward.run(w, alone, 1)).containsExactly(together[row]);
    }
  }

  @Test
  void known_inputs_become_constants_seed_6() {
    Weights w = Weights.random(SPEC, new SplittableRandom(6));
    float[] x = numbers(INPUTS, 6);
    Weights left = w.given(Arrays.copyOfRange(x, 4, INPUTS));
    assertThat(left.spec().inputs()).isEqualTo(4);
    assertThat((double) Forward.run(left, x, 1)[0])
        .isCloseTo(Forward.run(w, x, 1)[0], within(1e-5));
    assertThat(w.given(new float[0])).isSameAs(w);
  }

  @Test
  void groups_are_not_forgotten() {
    NetworkSpec spec = new NetworkSpec(INPUTS, List.of(4), 1, true, true);
    Weights w = Weights.random(spec, new SplittableRandom(1));
    assertThatThrownBy(() -> Forward.run(w, new float[INPUTS], 1))
        .hasMessageContaining("needs the groups");
  }
}
