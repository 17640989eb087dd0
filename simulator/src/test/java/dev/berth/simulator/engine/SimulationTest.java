package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.scenario.Fault;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.Taint;
import dev.berth.simulator.usage.MemoryLeak;
import dev.berth.simulator.usage.Range;
import dev.berth.simulator.usage.StartUp;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.PodSpec;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final long GIB = 1L << 30;
  private static final double INF = Double.POSITIVE_INFINITY;

  private static Scenario ten(Kind kind, double load) {
    return on(List.of(NodeGroup.of("node", 10, 64_000, 256 * GIB)), kind, load);
  }

  private static Scenario on(List<NodeGroup> nodes, Kind kind, double load) {
    return Scenario.of(
            "test",
            nodes,
            WorkloadSpec.of(kind, load),
            UsageParameters.DEFAULT,
            MetricsSpec.DEFAULT)
        .withDuration(5400, 1200);
  }

  private static <L extends SimulationListener> L run(
      Scenario s, PolicyFactory policy, L listener) {
    new Simulation(s, 42, policy).listen(listener).run();
    return listener;
  }

  @Test
  void the_same_seed_gives_the_same_run_to_the_last_bit_seed_42() {
    Scenario scenario = ten(Kind.CHURN, 0.8);
    long once = run(scenario, Trivial.random(), new DecisionHash()).value();
    assertThat(run(scenario, Trivial.random(), new DecisionHash()).value()).isEqualTo(once);
    var other = new DecisionHash();
    new Simulation(scenario, 43, Trivial.random()).listen(other).run();
    assertThat(other.value()).isNotEqualTo(once);
  }

  /**
   * What must not depend on the policy: who comes when, how long it lives, what it uses, what is
   * lost.
   */
  private static final class Fate implements SimulationListener {
    final Map<String, Double> boundAt = new HashMap<>();
    final Map<String, Double> lives = new HashMap<>();
    final Map<String, Double> usage = new HashMap<>();
    final Set<String> windows = new HashSet<>();

    @Override
    public void bound(Pod pod, String node, double at) {
      boundAt.put(pod.uid(), at);
    }

    @Override
    public void gone(Pod pod, String node, double at) {
      lives.put(pod.uid(), at - boundAt.getOrDefault(pod.uid(), Double.NaN));
    }

    @Override
    public void sampled(NodeSample s, double visibleAt) {
      windows.add(s.node() + s.windowStart() + "-" + s.windowEnd());
    }

    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      if (from == 3000) {
        for (Node node : truth.nodes()) {
          for (RunningPod p : node.pods()) {
            usage.put(p.spec().pod().uid(), p.demand().cpuCores(from));
          }
        }
      }
    }
  }

  @Test
  void every_policy_meets_the_same_pods_lifetimes_usage_and_lost_samples_seed_42() {
    Fate a = run(ten(Kind.BURST, 0.5), Trivial.random(), new Fate());
    Fate b = run(ten(Kind.BURST, 0.5), Trivial.LEAST_REQUESTED, new Fate());
    assertThat(a.boundAt).hasSizeGreaterThan(200).isEqualTo(b.boundAt);
    assertThat(a.lives).isEqualTo(b.lives);
    assertThat(a.usage).hasSizeGreaterThan(50).isEqualTo(b.usage);
    assertThat(a.windows).isEqualTo(b.windows);
  }

  @Test
  void a_pod_takes_twice_the_cpu_on_a_node_of_half_the_speed_seed_42() {
    double[] fast = {0};
    double[] slow = {0};
    for (double speed : new double[] {1, 0.5}) {
      var group =
          new NodeGroup(
              "node", 4, 64_000, 256 * GIB, 110, speed, 0, 0, Map.of(), List.of(), 0, INF);
      run(
          on(List.of(group), Kind.STEADY, 0.2),
          Trivial.LEAST_REQUESTED,
          new SimulationListener() {
            @Override
            public void advanced(Cluster truth, double from, double seconds) {
              for (Node node : truth.nodes()) {
                double pods = node.demandCores() - node.daemons().cpuCores();
                (speed == 1 ? fast : slow)[0] += pods;
              }
            }
          });
    }
    assertThat(slow[0] / fast[0]).isCloseTo(2, within(1e-9));
  }

  @Test
  void the_requested_load_meets_its_target_seed_42() {
    for (double load : new double[] {0.2, 0.5, 0.8}) {
      double[] sum = new double[2];
      run(
          ten(Kind.STEADY, load),
          Trivial.LEAST_REQUESTED,
          new SimulationListener() {
            @Override
            public void advanced(Cluster truth, double from, double seconds) {
              if (from >= 1200) {
                sum[0] +=
                    truth.nodes().stream().mapToDouble(Node::cpuRequestedMilli).sum() / 640_000;
                sum[1]++;
              }
            }
          });
      assertThat(sum[0] / sum[1]).isCloseTo(load, within(0.03));
    }
  }

  @Test
  void spreading_beats_random_and_nothing_is_left_pending_seeds_1_to_5() {
    Scenario scenario = ten(Kind.STEADY, 0.5);
    double random = 0;
    double least = 0;
    for (long seed = 1; seed <= 5; seed++) {
      var a = new RunMetrics(scenario);
      new Simulation(scenario, seed, Trivial.random()).listen(a).run();
      random += a.values().get(Metric.COST) / 5;
      var b = new RunMetrics(scenario);
      new Simulation(scenario, seed, Trivial.LEAST_REQUESTED).listen(b).run();
      least += b.values().get(Metric.COST) / 5;
      assertThat(b.values().get(Metric.PODS_PENDING)).isZero();
    }
    assertThat(random).isBetween(0.05, 0.2);
    assertThat(least).isBetween(0.02, 0.8 * random);
  }

  @Test
  void a_sample_is_the_mean_over_its_window_capped_at_capacity_and_late_seed_42() {
    // Two small nodes so overloaded that the counter must hit the cap.
    var nodes = List.of(NodeGroup.of("node", 2, 8_000, 64 * GIB));
    var hot =
        new UsageParameters(
            new Range(2, 2.1),
            UsageParameters.DEFAULT.memoryRatio(),
            MemoryLeak.NONE,
            new Range(0, 0),
            UsageParameters.Phases.RANDOM,
            7200,
            0,
            new Range(1, 1),
            UsageParameters.DEFAULT.lifetime(),
            StartUp.NONE);
    Scenario scenario =
        Scenario.of("hot", nodes, WorkloadSpec.of(Kind.STEADY, 0.9), hot, MetricsSpec.DEFAULT)
            .withDuration(3600, 0);
    List<NodeSample> samples = new ArrayList<>();
    Map<String, Double> used = new HashMap<>();
    new Simulation(scenario, 42, Trivial.LEAST_REQUESTED)
        .listen(
            new SimulationListener() {
              @Override
              public void sampled(NodeSample s, double visibleAt) {
                assertThat(visibleAt - s.windowEnd()).isEqualTo(10);
                samples.add(s);
              }

              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                truth.nodes().forEach(n -> used.put(n.name() + from, n.usedCores()));
              }
            })
        .run();
    assertThat(samples).isNotEmpty();
    for (NodeSample s : samples) {
      double sum = 0;
      int ticks = 0;
      for (double t = s.windowStart(); t < s.windowEnd(); t += 5) {
        sum += used.getOrDefault(s.node() + t, Double.NaN);
        ticks++;
      }
      assertThat(s.cpuCores()).isCloseTo(sum / ticks, within(1e-9)).isLessThanOrEqualTo(8 + 1e-9);
    }
    assertThat(samples).anyMatch(s -> s.cpuCores() > 7.999);
    assertThat(samples).anyMatch(s -> s.windowEnd() - s.windowStart() == 60); // after a lost scrape
  }

  @Test
  void filters_of_the_real_scheduler_hold_seed_42() {
    var control =
        new NodeGroup(
            "control",
            1,
            64_000,
            256 * GIB,
            110,
            1,
            0,
            0,
            Map.of(),
            List.of(new Taint("donotschedule", "true")),
            0,
            INF);
    var special =
        new NodeGroup(
            "special",
            2,
            8_000,
            32 * GIB,
            10,
            1,
            0,
            0,
            Map.of("pool", "special"),
            List.of(),
            0,
            INF);
    var plain = NodeGroup.of("node", 4, 16_000, 64 * GIB);
    WorkloadSpec d = WorkloadSpec.of(Kind.STEADY, 0.9);
    WorkloadSpec spec =
        new WorkloadSpec(
            Kind.STEADY,
            0.9,
            1,
            15,
            List.of(100L, 500L),
            d.memoryPerCoreMin(),
            6 * WorkloadSpec.GIB,
            0.15,
            0,
            0.3,
            d.sizes(),
            0,
            d.rhythm(),
            null);
    Scenario scenario =
        Scenario.of(
                "filters",
                List.of(control, special, plain),
                spec,
                UsageParameters.DEFAULT,
                MetricsSpec.DEFAULT)
            .withDuration(3600, 0);
    int[] checked = new int[2];
    run(
        scenario,
        Trivial.random(),
        new SimulationListener() {
          @Override
          public void advanced(Cluster truth, double from, double seconds) {
            for (Node node : truth.nodes()) {
              assertThat(node.cpuRequestedMilli()).isLessThanOrEqualTo(node.cpuMilli());
              assertThat(node.memoryRequestedBytes()).isLessThanOrEqualTo(node.memoryBytes());
              assertThat(node.pods()).hasSizeLessThanOrEqualTo(node.podLimit());
              if (node.name().startsWith("control")) {
                assertThat(node.pods()).isEmpty();
              }
              for (RunningPod pod : node.pods()) {
                if (!pod.spec().nodeSelector().isEmpty()) {
                  assertThat(node.name()).startsWith("special");
                  checked[0]++;
                }
              }
            }
            checked[1] = Math.max(checked[1], truth.pending());
          }
        });
    assertThat(checked[0]).as("pods with a selector ran").isPositive();
    assertThat(checked[1]).as("some pods had to wait").isPositive();
  }

  @Test
  void memory_above_capacity_kills_and_the_controller_replaces_seed_42() {
    var greedy =
        new UsageParameters(
            UsageParameters.DEFAULT.cpuRatio(),
            new Range(1.2, 1.8),
            MemoryLeak.NONE,
            new Range(0, 0),
            UsageParameters.Phases.RANDOM,
            7200,
            0,
            new Range(1, 1),
            UsageParameters.DEFAULT.lifetime(),
            StartUp.NONE);
    WorkloadSpec d = WorkloadSpec.of(Kind.STEADY, 0.8);
    WorkloadSpec spec =
        new WorkloadSpec(
            Kind.STEADY,
            0.8,
            1,
            15,
            d.cpuMilli(),
            4 * WorkloadSpec.GIB,
            4 * WorkloadSpec.GIB,
            0.15,
            0,
            0,
            d.sizes(),
            0,
            d.rhythm(),
            null);
    Scenario scenario =
        Scenario.of(
                "oom",
                List.of(NodeGroup.of("node", 10, 64_000, 256 * GIB)),
                spec,
                greedy,
                MetricsSpec.DEFAULT)
            .withDuration(3600, 0);
    List<String> bound = new ArrayList<>();
    var metrics = new RunMetrics(scenario);
    new Simulation(scenario, 42, Trivial.LEAST_REQUESTED)
        .listen(metrics)
        .listen(
            new SimulationListener() {
              @Override
              public void bound(Pod pod, String node, double at) {
                bound.add(pod.uid());
              }

              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                for (Node node : truth.nodes()) {
                  assertThat(node.memoryUsedBytes()).isLessThanOrEqualTo(node.memoryBytes());
                }
              }
            })
        .run();
    assertThat(metrics.values().get(Metric.EVICTIONS)).isPositive();
    assertThat(bound).anyMatch(uid -> uid.endsWith("-evicted")).doesNotHaveDuplicates();
  }

  @Test
  void a_node_that_leaves_gives_its_pods_back_and_a_new_one_takes_some_seed_42() {
    var nodes =
        List.of(
            NodeGroup.of("node", 9, 64_000, 256 * GIB),
            new NodeGroup("old", 1, 64_000, 256 * GIB, 110, 1, 0, 0, Map.of(), List.of(), 0, 2700),
            new NodeGroup(
                "young", 1, 64_000, 256 * GIB, 110, 1, 0, 0, Map.of(), List.of(), 3000, INF));
    List<String> moved = new ArrayList<>();
    Set<String> on = new HashSet<>();
    Set<String> left = new HashSet<>();
    run(
        on(nodes, Kind.STEADY, 0.5),
        Trivial.LEAST_REQUESTED,
        new SimulationListener() {
          @Override
          public void bound(Pod pod, String node, double at) {
            on.add(node);
            if (pod.uid().endsWith("-moved")) {
              moved.add(pod.uid());
            }
            assertThat(node.equals("old-0") && at >= 2700).isFalse();
          }

          @Override
          public void nodeGone(String node, double at) {
            assertThat(at).isEqualTo(2700);
            left.add(node);
          }
        });
    assertThat(moved).isNotEmpty();
    assertThat(on).contains("old-0", "young-0");
    assertThat(left).containsExactly("old-0");
  }

  @Test
  void pods_use_nothing_between_bind_and_start_and_still_live_as_long_seed_42() {
    var startUp = new StartUp(new Range(60, 60), new Range(0, 0), new Range(30, 30));
    Scenario quick = ten(Kind.STEADY, 0.5);
    Scenario late =
        Scenario.of(
                "late",
                quick.nodes(),
                quick.workload(),
                quick.usage().withStartUp(startUp),
                quick.metrics())
            .withDuration(5400, 1200);
    Map<String, Double> started = new HashMap<>();
    Map<String, Double> worked = new HashMap<>();
    Fate fate = new Fate();
    new Simulation(late, 42, Trivial.LEAST_REQUESTED)
        .listen(fate)
        .listen(
            new SimulationListener() {
              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                for (Node node : truth.nodes()) {
                  for (RunningPod p : node.pods()) {
                    if (p.demand().cpuCores(from) > 0) {
                      started.putIfAbsent(p.spec().pod().uid(), from - p.boundAt());
                      worked.merge(p.spec().pod().uid(), seconds, Double::sum);
                    }
                  }
                }
              }
            })
        .run();
    assertThat(started).hasSizeGreaterThan(200);
    assertThat(started.values()).allSatisfy(s -> assertThat(s).isBetween(30.0, 100.0));
    assertThat(fate.lives).hasSizeGreaterThan(50);
    fate.lives.forEach(
        (uid, life) -> {
          if (worked.containsKey(uid)) {
            assertThat(life - worked.get(uid)).as("%s did not run", uid).isBetween(30.0, 100.0);
          }
        });
  }

  private static List<NodeSample> samplesUnder(Fault... faults) {
    List<NodeSample> samples = new ArrayList<>();
    run(
        ten(Kind.STEADY, 0.5).withFaults(List.of(faults)),
        Trivial.LEAST_REQUESTED,
        new SimulationListener() {
          @Override
          public void sampled(NodeSample sample, double visibleAt) {
            samples.add(sample);
          }
        });
    return samples;
  }

  /** A small node at a quarter, a big one beyond its capacity, an empty one; then both idle. */
  @Test
  void power_is_that_of_the_nodes_with_pods_in_units_of_the_mean_node() {
    var truth = new Cluster(new UsageModel(42, UsageParameters.DEFAULT));
    truth.add(NodeGroup.of("small", 1, 16_000, 256 * GIB), 0);
    truth.add(NodeGroup.of("big", 1, 48_000, 256 * GIB), 0);
    truth.add(NodeGroup.of("empty", 1, 32_000, 256 * GIB), 0);
    truth.bind(PodSpec.of(Pod.of("a", "a", 1000, GIB)), truth.node("small-0"), 0);
    truth.bind(PodSpec.of(Pod.of("b", "b", 1000, GIB)), truth.node("big-0"), 0);
    var metrics = new RunMetrics(ten(Kind.STEADY, 0.5)); // warm-up of 1200 s
    truth.node("empty-0").demandCores = 32;
    truth.node("small-0").demandCores = 16;
    truth.node("big-0").demandCores = 0;
    metrics.advanced(truth, 600, 600);
    truth.node("small-0").demandCores = 4;
    truth.node("big-0").demandCores = 60;
    metrics.advanced(truth, 1200, 600);
    truth.node("small-0").demandCores = 0;
    truth.node("big-0").demandCores = 0;
    metrics.advanced(truth, 1800, 1200);
    // 0.25^1.4 = 0.143587; 16/32 x (0.5 + 0.5 (0.5 - 0.143587)) + 48/32 x 1 = 1.839103 for a third
    // of the time, 16/32 x 0.5 + 48/32 x 0.5 = 1 for two thirds
    assertThat(metrics.values().get(Metric.POWER)).isCloseTo(1.279701, within(1e-6));
  }

  @Test
  void metric_faults_do_what_they_say_seed_42() {
    int healthy = samplesUnder().size();
    assertThat(samplesUnder(new Fault(Fault.Kind.PROMETHEUS_DOWN, "*", 0, INF, 0))).isEmpty();
    assertThat(samplesUnder(new Fault(Fault.Kind.PROMETHEUS_DOWN, "*", 1000, 2000, 0)))
        .noneMatch(s -> s.windowEnd() >= 1000 && s.windowEnd() < 2000)
        .allMatch(s -> s.windowEnd() - s.windowStart() <= 300)
        .anyMatch(s -> s.windowEnd() > 2000);
    assertThat(samplesUnder(new Fault(Fault.Kind.STALE_NODE, "node-3", 1000, INF, 0)))
        .noneMatch(s -> s.node().equals("node-3") && s.windowEnd() >= 1000)
        .anyMatch(s -> s.node().equals("node-3"));
    assertThat(samplesUnder(new Fault(Fault.Kind.LABEL_RENAME, "*", 1000, INF, 0)))
        .hasSize(healthy)
        .allMatch(s -> s.node().endsWith(":9100") == s.windowEnd() >= 1000);
    assertThat(samplesUnder(new Fault(Fault.Kind.NAN_SAMPLES, "node-1", 0, INF, 0)))
        .allMatch(s -> Double.isNaN(s.cpuCores()) == s.node().equals("node-1"));
    assertThat(samplesUnder(new Fault(Fault.Kind.CLOCK_SKEW, "node-1", 0, INF, 120)))
        .filteredOn(s -> s.node().equals("node-1"))
        .anyMatch(s -> s.windowEnd() > 5400);
  }

  @Test
  void while_the_service_is_slow_the_fallback_places_and_learners_hear_no_decision_seed_42() {
    var slow = new Fault(Fault.Kind.SERVICE_SLOW, "*", 1000, 2000, 1);
    Scenario scenario = ten(Kind.STEADY, 0.5).withFaults(List.of(slow));
    Set<Double> decided = new HashSet<>();
    Set<Double> bound = new HashSet<>();
    var simulation = new Simulation(scenario, 42, Trivial.random());
    assertThatThrownBy(simulation::run).hasMessageContaining("fallback");
    var fallback =
        Trivial.LEAST_REQUESTED.create(
            new PolicyFactory.Context(scenario, 42, simulation.cluster()));
    new Simulation(scenario, 42, Trivial.random())
        .fallback(fallback)
        .listen(
            new SimulationListener() {
              @Override
              public void decided(Decision d, double[] preferences, int chosen) {
                decided.add(d.now());
              }

              @Override
              public void bound(Pod pod, String node, double at) {
                bound.add(at);
              }
            })
        .run();
    assertThat(decided).noneMatch(t -> t >= 1000 && t < 2000).anyMatch(t -> t >= 2000);
    assertThat(bound).anyMatch(t -> t >= 1000 && t < 2000);
  }

  @Test
  void a_policy_that_scores_nan_is_named_and_stopped() {
    var broken = Trivial.policy("broken", (d, i) -> Double.NaN);
    assertThatThrownBy(() -> run(ten(Kind.STEADY, 0.5), broken, new DecisionHash()))
        .hasMessageContaining("policy broken scored node node-0 with NaN");
  }

  @Test
  void deployments_fill_to_the_target_and_start_over_seed_42() {
    Scenario scenario = ten(Kind.DEPLOYMENTS, 0.2).withDuration(2400, 0);
    List<Double> loads = new ArrayList<>();
    var metrics = new RunMetrics(scenario);
    new Simulation(scenario, 42, Trivial.LEAST_REQUESTED)
        .listen(metrics)
        .listen(
            new SimulationListener() {
              @Override
              public void epochEnds(Cluster truth, double at) {
                loads.add(
                    truth.nodes().stream().mapToDouble(Node::cpuRequestedMilli).sum() / 640_000);
              }

              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                if (from == 2395) {
                  loads.add(
                      truth.nodes().stream().mapToDouble(Node::cpuRequestedMilli).sum() / 640_000);
                }
              }
            })
        .run();
    assertThat(loads).hasSize(2).allSatisfy(l -> assertThat(l).isBetween(0.2, 0.225));
    assertThat(metrics.values().get(Metric.REQUEST_CPU_VARIANCE)).isLessThan(0.0001);
  }

  @Test
  void ties_are_spread_over_all_candidates_seed_42() {
    Map<String, Long> counts =
        new ArrayList<>(
                run(ten(Kind.STEADY, 0.5), Trivial.policy("flat", (d, i) -> 0), new Binds()).nodes)
            .stream().collect(Collectors.groupingBy(n -> n, Collectors.counting()));
    assertThat(counts).hasSize(10);
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    assertThat(counts.values()).allSatisfy(c -> assertThat(c / (double) total).isBetween(.05, .16));
  }

  private static final class Binds implements SimulationListener {
    final List<String> nodes = new ArrayList<>();

    @Override
    public void bound(Pod pod, String node, double at) {
      nodes.add(node);
    }
  }
}
