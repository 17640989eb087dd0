package dev.berth.policy.gpu.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueSamplesTest {
  private static final WorkloadProfile NO_WORKLOAD =
      new WorkloadProfile(1, 1, 0, 0, Map.of(), BigPodRoom.NONE, CardWaste.NONE);

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
    Weights initial = Weights.random(ValueModel.spec(8), random).withZeroOutputs();
    Learner learner =
        new Learner(initial, new Adam(initial.spec(), 3e-3), Double.POSITIVE_INFINITY);
    double first = 0;
    double last = 0;
    for (int step = 0; step < 1_500; step++) {
      double loss = learner.step(samples.batch(64, random), 3e-3 * (1 - step / 1_500.0));
      first += step < 20 ? loss / 20 : 0;
      last += step >= 1_400 ? loss / 100 : 0;
    }
    assertThat(first).isGreaterThan(0.5);
    assertThat(last).isLessThan(0.01);
  }

  private static GpuNode node(SplittableRandom random) {
    int[] free = new int[8];
    for (int card = 0; card < free.length; card++) {
      free[card] = random.nextInt(3) == 0 ? 1000 : random.nextInt(1000);
    }
    return GpuNode.observed("n", "T4", free, 96_000, 1L << 39, random.nextInt(96_000), 1L << 39);
  }
}
