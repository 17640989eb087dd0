package dev.berth.simulator.engine;

import dev.berth.policy.Policy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.scenario.OutcomeSpec;
import dev.berth.simulator.scenario.Scenario;
import java.util.Set;

/**
 * Who knows what: a scorer outside the scheduler hears of binds and ends by reports, the plugins of
 * the scheduler itself at once. Where the scenario delays no report both read one cluster state.
 */
final class ClusterViews {
  /** Scorers that are plugins of the scheduler, stock or upstream's: nothing lies in between. */
  private static final Set<String> INSIDE =
      Set.of(
          "random",
          "round-robin",
          "least-allocated",
          "most-allocated",
          "balanced-allocation",
          "default",
          "default-spread",
          "hot-value",
          "usage-plus-estimate");

  private final boolean outside;
  private final ClusterState scorer;
  private final ClusterState scheduler;
  private final OutcomeFeed reports;

  ClusterViews(Scenario scenario, long seed, Policy policy) {
    UsageConfig base =
        UsageConfig.DEFAULT
            .withDaySeconds(scenario.usage().daySeconds())
            .withScrapeInterval(scenario.metrics().scrapeSeconds());
    // A policy that listens brings its own agents and informers: it is a plugin, too.
    this.outside = !INSIDE.contains(policy.name()) && !(policy instanceof SimulationListener);
    this.scorer = new ClusterState(policy.usageConfig(base));
    OutcomeSpec spec = outside ? scenario.outcomes() : OutcomeSpec.AT_ONCE;
    this.scheduler = spec.equals(OutcomeSpec.AT_ONCE) ? scorer : new ClusterState(base);
    this.reports = new OutcomeFeed(spec, seed, scorer);
  }

  /** Whether the scorer is asked over the network, and may miss its deadline. */
  boolean outside() {
    return outside;
  }

  /** What the scorer decides on. */
  ClusterState scorer() {
    return scorer;
  }

  /** What the stock profile decides on when it stands in. It reads no samples. */
  ClusterState scheduler() {
    return scheduler;
  }

  void bound(Pod pod, String node, double t) {
    reports.bound(pod, node, t);
    if (scheduler != scorer) {
      scheduler.podBound(pod, node, t);
    }
  }

  void gone(Pod pod, double t) {
    reports.gone(pod, t);
    if (scheduler != scorer) {
      scheduler.podGone(pod.uid(), t);
    }
  }

  void nodeGone(String node) {
    scorer.nodeGone(node);
    if (scheduler != scorer) {
      scheduler.nodeGone(node);
    }
  }

  /** A decision is due, within a tick: the scheduler places one pod after the other. */
  void asked(double t) {
    reports.asked(t);
  }

  /** Reports that have arrived are read. */
  void read(Cluster truth, double t) {
    reports.deliver(truth, t);
  }

  void sampled(PodSample sample, double visibleAt) {
    scorer.sample(sample, visibleAt);
  }

  void sampled(NodeSample sample, double visibleAt) {
    scorer.sample(sample, visibleAt);
  }
}
