package dev.berth.policy.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our learners on a task whose figures everyone publishes. Random play stands for 22 steps. */
final class CartPoleTest {

  @Test
  void aShortDqnRunBeatsWhatRandomPlayCanReach_seed1() {
    assertThat(CartPoleAgents.dqn(1, 25_000, 1_000, 1e-3)).isGreaterThan(100);
  }

  @Tag("slow")
  @Test
  void dqnReachesCleanRlsFigure_seeds1to3() {
    double[] ours = runs("dqn", seed -> CartPoleAgents.dqn(seed, 500_000, 10_000, 2.5e-4), 1, 2, 3);
    print("DQN, CleanRL's settings, 500 k", ours, "CleanRL 488.69 +- 16.11");
    assertThat(Arrays.stream(ours).average().orElse(0)).isGreaterThanOrEqualTo(450);
  }

  @Tag("slow")
  @Test
  void actorCriticReaches475_seeds1to3and11to13() {
    double[] ours =
        runs(
            "actor-critic", seed -> CartPoleAgents.actorCritic(seed, 500_000), 1, 2, 3, 11, 12, 13);
    print("A2C, 8 environments, 500 k", ours, "rl-zoo 500 (one tuned agent)");
    assertThat(Arrays.stream(ours).average().orElse(0)).isGreaterThanOrEqualTo(475);
  }

  /** Minutes of work: says what is done. */
  private static double[] runs(String what, LongToDoubleFunction run, long... seeds) {
    double[] out = new double[seeds.length];
    for (int i = 0; i < seeds.length; i++) {
      long start = System.nanoTime();
      out[i] = run.applyAsDouble(seeds[i]);
      System.out.printf(
          "%s: seed %d, run %d of %d: %.2f (%.0f s)%n",
          what, seeds[i], i + 1, seeds.length, out[i], (System.nanoTime() - start) / 1e9);
    }
    return out;
  }

  private static void print(String what, double[] ours, String theirs) {
    double mean = Arrays.stream(ours).average().orElse(0);
    double std =
        Math.sqrt(Arrays.stream(ours).map(x -> (x - mean) * (x - mean)).sum() / (ours.length - 1));
    System.out.printf(
        "| %s | %.2f +- %.2f %s | %s |%n", what, mean, std, Arrays.toString(ours), theirs);
  }
}
