package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.simulator.scenario.Fault;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.PodSpec;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScraperTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /** Samples of one node that uses what {@code cores} says of every tick. */
  private static List<NodeSample> samples(
      MetricsSpec spec, double seconds, DoubleUnaryOperator cores, Fault... faults) {
    Scenario scenario =
        Scenario.of(
                "one",
                List.of(NodeGroup.of("node", 1, 64_000, 256L << 30)),
                WorkloadSpec.of(Kind.STEADY, 0.5),
                UsageParameters.DEFAULT,
                spec)
            .withFaults(List.of(faults));
    var cluster = new Cluster(new UsageModel(1, UsageParameters.DEFAULT));
    cluster.add(scenario.nodes().get(0), 0);
    Node node = cluster.node("node-0");
    var scraper = new Scraper(scenario, 1);
    List<NodeSample> samples = new ArrayList<>();
    for (double t = 0; t < seconds; t += 5) {
      scraper.scrape(cluster, t);
      scraper.deliver(t, (sample, pods, at) -> samples.add(sample));
      node.cpuSeconds += 5 * cores.applyAsDouble(t);
    }
    return samples;
  }

  @Test
  void a_pull_answers_the_rate_over_the_window_before_it() {
    // Scraped at 5, 20, 35, …; a minute's window pulled every 5 s; from 300 s on eleven cores.
    var spec = new MetricsSpec(15, 0, 0, 60, 5, NEVER, false);
    Map<Double, List<NodeSample>> byStart =
        samples(spec, 600, t -> t < 300 ? 1 : 11).stream()
            .collect(Collectors.groupingBy(NodeSample::windowStart));
    assertThat(byStart.values()).allMatch(s -> s.size() == 1).hasSizeGreaterThan(110);
    // Which 15 s grid the seed chose: the newest scrape of the pull at 400 s.
    double scrape = byStart.get(340.0).get(0).windowEnd();
    assertThat(scrape).isBetween(390.0, 400.0);
    double after = scrape - 390; // the first scrape after 300 s is at 300 + after
    for (double pull = 305; pull < 360; pull += 5) {
      NodeSample s = byStart.get(pull - 60).get(0);
      double newest = 300 + after + 15 * Math.floor((pull - 300 - after) / 15);
      assertThat(s.windowEnd()).as("pull at %s", pull).isEqualTo(newest);
      // All scrapes lie near the bounds: the increase is stretched to the whole window.
      double oldest = newest - 15 * Math.ceil((60 - (pull - newest)) / 15 - 1);
      double increase = newest - oldest + 10 * (newest - Math.max(oldest, 300));
      assertThat(s.cpuCores())
          .as("pull at %s", pull)
          .isCloseTo(increase / (newest - oldest), within(1e-9));
    }
    assertThat(byStart.get(400.0).get(0).cpuCores()).isCloseTo(11, within(1e-9));
  }

  @Test
  void after_a_failed_scrape_the_series_is_stale_until_the_next_seed_1() {
    var spec = new MetricsSpec(15, 0, 0, 60, 5, NEVER, false);
    List<NodeSample> samples =
        samples(spec, 600, t -> 10, new Fault(Fault.Kind.STALE_NODE, "node-0", 201, 300, 0));
    assertThat(samples)
        .noneMatch(s -> s.windowStart() + 60 >= 215 && s.windowStart() + 60 < 300)
        .anyMatch(s -> s.windowStart() + 60 >= 200 && s.windowStart() + 60 < 215);
    // The first scrape afterwards stands alone in its window: memory is known, CPU is not.
    NodeSample first = samples.stream().filter(s -> s.windowEnd() >= 300).findFirst().orElseThrow();
    assertThat(first.cpuCores()).isNaN();
    assertThat(first.memoryBytes()).isPositive();
  }

  @Test
  void counters_that_restart_never_show_more_than_was_used_seed_1() {
    for (double window : new double[] {0, 60}) {
      var spec = new MetricsSpec(15, 0, 0, window, 15, 120, false);
      var steady = new MetricsSpec(15, 0, 0, window, 15, NEVER, false);
      List<NodeSample> samples = samples(spec, 7200, t -> 10);
      assertThat(samples).filteredOn(s -> !Double.isNaN(s.cpuCores())).isNotEmpty();
      assertThat(samples)
          .allMatch(s -> Double.isNaN(s.cpuCores()) || s.cpuCores() <= 10 + 1e-9)
          .allMatch(s -> Double.isNaN(s.cpuCores()) || s.cpuCores() >= 0);
      int all = samples(steady, 7200, t -> 10).size();
      if (window == 0) {
        assertThat(samples.size())
            .as("an increase over a restart is not known: sixty of %d are missing", all)
            .isBetween(all - 90, all - 30);
      } else {
        assertThat(samples)
            .as("a rate misses what ran before the restart")
            .anyMatch(s -> s.cpuCores() < 9);
      }
    }
  }

  @Test
  void what_the_pods_of_a_node_were_sampled_to_use_is_what_the_node_was_less_its_daemons_seed_1() {
    for (double window : new double[] {0, 60}) {
      var spec = new MetricsSpec(15, 0, 0, window, 15, NEVER, true);
      Scenario scenario =
          Scenario.of(
              "one",
              List.of(NodeGroup.of("node", 1, 4000, 256L << 30)),
              WorkloadSpec.of(Kind.STEADY, 0.5),
              UsageParameters.DEFAULT,
              spec);
      var cluster = new Cluster(new UsageModel(1, UsageParameters.DEFAULT));
      cluster.meterPods();
      cluster.add(scenario.nodes().get(0), 0);
      Node node = cluster.node("node-0");
      var scraper = new Scraper(scenario, 1);
      List<Double> difference = new ArrayList<>();
      for (double t = 0; t < 900; t += 5) {
        if (t == 20) {
          for (int p = 0; p < 5; p++) { // more than the node has, so that they are throttled
            cluster.bind(
                PodSpec.of(Pod.of("pod-" + p, "default/Job/" + p, 4000, 1 << 30)), node, t);
          }
        }
        scraper.scrape(cluster, t);
        scraper.deliver(
            t,
            (sample, pods, at) -> {
              if (sample.windowStart() > 60) {
                assertThat(pods).hasSize(5);
                assertThat(pods).allMatch(p -> p.windowEnd() == sample.windowEnd());
                difference.add(
                    sample.cpuCores() - pods.stream().mapToDouble(PodSample::cpuCores).sum());
              }
            });
        cluster.advance(t, 5);
      }
      assertThat(node.demandCores()).isGreaterThan(4);
      double daemons = node.daemons().cpuCores(); // throttled as the pods are
      assertThat(difference)
          .hasSizeGreaterThan(40)
          .allSatisfy(d -> assertThat(d).isBetween(0.2 * daemons, daemons));
    }
  }
}
