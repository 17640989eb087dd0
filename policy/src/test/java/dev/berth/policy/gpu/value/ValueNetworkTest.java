package dev.berth.policy.gpu.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.gpu.GpuNode;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueNetworkTest {
  private static final WorkloadProfile NO_WORKLOAD =
      new WorkloadProfile(1, 1, 0, 0, Map.of(), BigPodRoom.NONE, CardWaste.NONE);

  @Test
  void the_batch_equals_the_formula_row_by_row_seed_4() {
    SplittableRandom random = new SplittableRandom(4);
    ValueNetwork network = ValueNetwork.random(7, 5, random);
    for (int i = 0; i < network.weights().length; i++) {
      network.weights()[i] = (float) random.nextGaussian();
    }
    float[] x = new float[7 * ValueNetwork.BLOCK];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextGaussian();
    }
    float[] values = new float[ValueNetwork.BLOCK];
    network.forward(x, network.scratch(), values);
    for (int row = 0; row < ValueNetwork.BLOCK; row++) {
      assertThat((double) values[row]).isCloseTo(byHand(network, x, row), within(1e-4));
    }
  }

  private static double byHand(ValueNetwork network, float[] x, int row) {
    float[] w = network.weights();
    int inputs = network.inputs();
    int hidden = network.hidden();
    double[] h1 = new double[hidden];
    double[] h2 = new double[hidden];
    double value = w[network.constant()];
    for (int i = 0; i < inputs; i++) {
      value += w[network.skip() + i] * x[i * ValueNetwork.BLOCK + row];
    }
    for (int h = 0; h < hidden; h++) {
      h1[h] = w[network.b1() + h];
      for (int i = 0; i < inputs; i++) {
        h1[h] += w[h * inputs + i] * x[i * ValueNetwork.BLOCK + row];
      }
      h1[h] = Math.max(0, h1[h]);
    }
    for (int h = 0; h < hidden; h++) {
      h2[h] = w[network.b2() + h];
      for (int i = 0; i < hidden; i++) {
        h2[h] += w[network.w2() + h * hidden + i] * h1[i];
      }
      value += w[network.out() + h] * Math.max(0, h2[h]);
    }
    return value;
  }

  @Test
  void regression_learns_what_stays_idle_seed_9() {
    // Truth: GPUs beyond one per 8 cores stay idle.
    SplittableRandom random = new SplittableRandom(9);
    ValueSamples samples = new ValueSamples();
    for (int i = 0; i < 3_000; i++) {
      GpuNode node = node(random);
      double truth = Math.max(0, node.idleMilli() / 1000.0 - node.freeCpuMilli() / 8000.0);
      samples.label(samples.add(node, NO_WORKLOAD), truth);
    }
    ValueNetwork network = ValueNetwork.random(ValueInputs.COUNT, 8, random);
    ValueRegression regression = new ValueRegression(network);
    double first = 0;
    double last = 0;
    for (int step = 0; step < 1_500; step++) {
      double loss = regression.step(samples, 64, 3e-3 * (1 - step / 1_500.0), random);
      first += step < 20 ? loss / 20 : 0;
      last += step >= 1_400 ? loss / 100 : 0;
    }
    assertThat(first).isGreaterThan(0.5);
    assertThat(last).isLessThan(0.01);
  }

  @Test
  void the_gradient_equals_finite_differences_seed_5() {
    // One Adam step with a tiny rate moves every weight by rate * sign(gradient): compare the
    // signs.
    SplittableRandom random = new SplittableRandom(5);
    ValueSamples one = new ValueSamples();
    one.label(one.add(node(random), NO_WORKLOAD), 0.7);
    ValueNetwork network = ValueNetwork.random(ValueInputs.COUNT, 6, random);
    ValueNetwork before = network.copy();
    double rate = 1e-6;
    new ValueRegression(network).step(one, 1, rate, random);
    int checked = 0;
    for (int i = 0; i < before.weights().length; i++) {
      double slope = loss(before, one, i, 1e-2) - loss(before, one, i, -1e-2);
      if (Math.abs(slope) > 1e-4) {
        assertThat(Math.signum(before.weights()[i] - network.weights()[i]))
            .as("weight " + i)
            .isEqualTo((float) Math.signum(slope));
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(30);
  }

  private static double loss(ValueNetwork network, ValueSamples one, int weight, double change) {
    ValueNetwork moved = network.copy();
    moved.weights()[weight] += (float) change;
    float[] x = new float[moved.inputs() * ValueNetwork.BLOCK];
    for (int i = 0; i < moved.inputs(); i++) {
      x[i * ValueNetwork.BLOCK] = one.features(0)[one.offset(0) + i];
    }
    float[] values = new float[ValueNetwork.BLOCK];
    moved.forward(x, moved.scratch(), values);
    return (values[0] - one.label(0)) * (values[0] - one.label(0));
  }

  private static GpuNode node(SplittableRandom random) {
    int[] free = new int[8];
    for (int card = 0; card < free.length; card++) {
      free[card] = random.nextInt(3) == 0 ? 1000 : random.nextInt(1000);
    }
    return GpuNode.observed("n", "T4", free, 96_000, 1L << 39, random.nextInt(96_000), 1L << 39);
  }
}
