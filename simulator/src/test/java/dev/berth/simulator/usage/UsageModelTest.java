package dev.berth.simulator.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Pod;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsageModelTest {
  private static final long SEED = 42;
  private final UsageModel model = new UsageModel(SEED, UsageParameters.DEFAULT);

  private static Pod pod(int i, String owner) {
    return Pod.of("pod-" + i, owner, 1000, 2L << 30);
  }

  @Test
  void owners_differ_and_stay_within_the_ranges_seed_42() {
    var ratios =
        IntStream.range(0, 2000)
            .mapToDouble(i -> model.owner("owner-" + i).cpuRatio())
            .summaryStatistics();
    assertThat(ratios.getMin()).isBetween(0.2, 0.21);
    assertThat(ratios.getMax()).isBetween(1.19, 1.2);
    assertThat(ratios.getAverage()).isCloseTo(0.7, within(0.02));
    long bursting =
        IntStream.range(0, 2000).filter(i -> model.owner("owner-" + i).burstFactor() > 1).count();
    assertThat(bursting).isBetween(900L, 1100L);
  }

  @Test
  void the_same_seed_and_key_give_the_same_truth_whatever_was_asked_before() {
    var other = new UsageModel(SEED, UsageParameters.DEFAULT);
    for (int i = 0; i < 50; i++) {
      other.owner("noise-" + i);
    }
    var a = model.start(pod(1, "web"), 0, 100);
    var b = other.start(pod(1, "web"), 0, 100);
    assertThat(b.cpuCores(5000)).isEqualTo(a.cpuCores(5000));
    assertThat(new UsageModel(SEED + 1, UsageParameters.DEFAULT).owner("web"))
        .isNotEqualTo(model.owner("web"));
  }

  @Test
  void asking_for_the_past_again_gives_the_same_answer() {
    var demand = model.start(pod(7, "web"), 0, 0);
    double early = demand.cpuCores(600);
    demand.cpuCores(6000);
    assertThat(demand.cpuCores(600)).isEqualTo(early);
  }

  @Test
  void a_pod_averages_its_owners_factor_with_fifteen_percent_spread_between_pods_seed_42() {
    double sum = 0;
    double squares = 0;
    int pods = 2000;
    for (int i = 0; i < pods; i++) {
      var demand = model.start(pod(i, "web"), 0, 0);
      double relative = demand.typicalCores();
      sum += relative;
      squares += relative * relative;
    }
    double mean = sum / pods;
    assertThat(mean).isCloseTo(1, within(0.02));
    assertThat(Math.sqrt(squares / pods - mean * mean)).isCloseTo(0.15, within(0.015));
  }

  @Test
  void pod_noise_is_fifteen_percent_and_remembers_for_a_minute_seed_42() {
    var demand = model.start(pod(3, "quiet"), 0, 0);
    int n = 200_000;
    double[] x = new double[n];
    double mean = 0;
    for (int i = 0; i < n; i++) {
      x[i] = demand.cpuCores(30 + 5.0 * i, 1) / demand.typicalCores();
      mean += x[i] / n;
    }
    double variance = 0;
    double lagged = 0;
    int lag = 12; // one minute
    for (int i = 0; i + lag < n; i++) {
      variance += (x[i] - mean) * (x[i] - mean) / n;
      lagged += (x[i] - mean) * (x[i + lag] - mean) / n;
    }
    assertThat(Math.sqrt(variance)).isCloseTo(0.15, within(0.01));
    assertThat(lagged / variance).isCloseTo(Math.exp(-1), within(0.05));
  }

  @Test
  void a_burst_hits_all_replicas_at_the_same_instant_and_a_tenth_of_the_time_seed_42() {
    int owners = 0;
    double share = 0;
    for (int i = 0; owners < 100; i++) {
      var owner = model.owner("owner-" + i);
      if (owner.burstFactor() == 1) {
        continue;
      }
      owners++;
      int bursting = 0;
      for (int t = 0; t < 100_000; t += 10) {
        if (owner.bursting(t)) {
          bursting++;
          assertThat(owner.at(t))
              .isEqualTo(owner.cpuRatio() * owner.timeOfDay(t) * owner.burstFactor());
        }
      }
      share += bursting / 10_000.0;
    }
    assertThat(share / owners).isCloseTo(0.1, within(0.015));
  }

  @Test
  void a_pod_ramps_up_over_thirty_seconds_and_respects_its_limit() {
    var demand = model.start(pod(1, "web"), 0, 100);
    assertThat(demand.cpuCores(99)).isZero();
    assertThat(demand.ramp(115)).isEqualTo(0.5);
    assertThat(demand.ramp(130)).isEqualTo(1);
    var limited = model.start(pod(1, "web"), 50, 100);
    assertThat(limited.cpuCores(1000)).isEqualTo(0.05);
  }

  @Test
  void owners_start_late_and_with_a_surge_and_everything_else_stays_as_it_was_seed_42() {
    var startUp = new StartUp(new Range(10, 90), new Range(0.5, 2), new Range(20, 60));
    var slow = new UsageModel(SEED, UsageParameters.DEFAULT.withStartUp(startUp));
    for (int i = 0; i < 500; i++) {
      String owner = "owner-" + i;
      StartUp.Profile mine = slow.owner(owner).startUp();
      assertThat(mine.delaySeconds()).isBetween(10.0, 90.0);
      assertThat(mine.surge()).isBetween(0.5, 2.0);
      double delay = slow.startDelay(pod(i, owner));
      assertThat(delay / mine.delaySeconds()).isBetween(0.5, 1.5);
      assertThat(model.startDelay(pod(i, owner))).isZero();

      var quick = model.start(pod(i, owner), 0, 100);
      var surging = slow.start(pod(i, owner), 0, 100);
      double last = 100 + Math.ceil(mine.surgeSeconds()) - 1;
      assertThat(surging.cpuCores(99)).isZero();
      assertThat(surging.cpuCores(last))
          .isCloseTo(quick.cpuCores(last) + mine.surge(), within(1e-12));
      assertThat(surging.cpuCores(last + 1)).isEqualTo(quick.cpuCores(last + 1));
    }
    var limited = slow.start(pod(1, "owner-1"), 400, 100);
    assertThat(limited.cpuCores(101)).as("a limit holds at the start, too").isEqualTo(0.4);
  }

  @Test
  void latency_rises_without_a_jump_and_overload_starts_at_capacity() {
    assertThat(Contention.latencyMillis(0, 64)).isEqualTo(4);
    assertThat(Contention.latencyMillis(32, 64)).isEqualTo(8);
    assertThat(Contention.latencyMillis(0.9001 * 64, 64))
        .isCloseTo(Contention.latencyMillis(0.8999 * 64, 64), within(0.1));
    assertThat(Contention.overload(64, 64)).isZero();
    assertThat(Contention.overload(96, 64)).isEqualTo(0.5);
  }
}
