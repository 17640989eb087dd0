package dev.berth.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Three nodes; the third is the worst to our policy, the second is empty to the stock scorers. */
class AsShippedTest {
  private static final Candidates NODES =
      new Candidates(
          new String[] {"full", "empty", "bad"},
          new long[] {10_000, 10_000, 10_000},
          new long[] {10 << 20, 10 << 20, 10 << 20},
          new int[] {110, 110, 110},
          new long[] {9_000, 0, 0},
          new long[] {9 << 20, 0, 0},
          new int[3],
          new long[3],
          new long[3],
          new int[3],
          new String[] {"", "", ""},
          new String[] {"", "", ""},
          null);

  @Test
  void stockScorersDecideNearTiesOnly() {
    assertThat(best(1, 0.98, 0)).as("98 points of 100").isEqualTo(1);
    assertThat(best(1, 0.8, 0)).isZero();
  }

  @Test
  void whereOursKnowsNoDifferenceTheStockScorersDecide() {
    assertThat(best(3, 3, 3)).isEqualTo(1);
  }

  @Test
  void itsWeightIsThatOfTheManifest() throws IOException {
    Path manifest =
        Path.of(System.getProperty("berth.root"), "manifests/scheduler/scheduler-config.yaml");
    assertThat(Files.readString(manifest))
        .contains("enabled: [{name: Berth, weight: %d}]".formatted(AsShipped.WEIGHT));
  }

  /** Which node gets the pod. */
  private static int best(double... ours) {
    Policy policy =
        new Policy() {
          @Override
          public String name() {
            return "ours";
          }

          @Override
          public void score(Decision d, double[] preferences) {
            System.arraycopy(ours, 0, preferences, 0, ours.length);
          }
        };
    Pod pod = Pod.of("pod", "default/Deployment/web", 1_000, 1 << 20);
    double[] out = new double[ours.length];
    new AsShipped("ours+stock", policy)
        .score(new Decision(0, pod, NODES, new ClusterState(UsageConfig.DEFAULT)), out);
    int best = 0;
    for (int i = 1; i < out.length; i++) {
      best = out[i] > out[best] ? i : best;
    }
    return best;
  }
}
