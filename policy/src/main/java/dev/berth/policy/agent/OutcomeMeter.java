package dev.berth.policy.agent;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.state.ClusterState;

/** Measures what became of the candidates of a decision, some minutes later. */
final class OutcomeMeter {
  private final AgentConfig config;

  OutcomeMeter(AgentConfig config) {
    this.config = config;
  }

  /** What is known at the decision itself, for an objective that need not wait. */
  Measurement immediate(PendingDecision p) {
    double[] load = p.load();
    if (config.task().credit().raw()) {
      load = load.clone();
      load[p.chosen()] += 1000 * p.podCores() / p.power()[p.chosen()];
    }
    return ofLoad(p, load);
  }

  /** What samples show by now, on every candidate. */
  Measurement measure(PendingDecision p, double now, ClusterState state) {
    int n = p.names().length;
    double[] load = new double[n];
    long without = config.task().credit().raw() ? Long.MAX_VALUE : p.order();
    for (int i = 0; i < n; i++) {
      double cores =
          state.measuredCpuWithout(p.names()[i], without, now, config.task().windowSeconds());
      load[i] = 1000 * cores / p.cpuMilli()[i];
    }
    Measurement m = ofLoad(p, config.task().objective() == Objective.REQUESTS ? p.load() : load);
    return config.task().rewards().readsSamples() ? m.with(samples(p, now, state)) : m;
  }

  private static Measurement ofLoad(PendingDecision p, double[] load) {
    return Measurement.of(
        p.limits(), p.cpuMilli(), p.power(), p.podCount(), load, p.load(), p.podCores());
  }

  private static Measurement.Samples samples(PendingDecision p, double now, ClusterState state) {
    int n = p.names().length;
    Measurement.Samples s = Measurement.Samples.none(n);
    double sum = 0;
    double pods = 0;
    for (int i = 0; i < n; i++) {
      NodeSample sample = state.fresh(p.names()[i], now);
      if (sample != null) {
        s.connections()[i] = sample.connections();
        s.latencyMillis()[i] = sample.latencyMillis();
        s.latencyLoad()[i] = 1000 * sample.cpuCores() / p.cpuMilli()[i];
      }
      if (!Double.isNaN(s.connections()[i])) {
        sum += s.connections()[i];
        pods += state.bindsFrom(p.names()[i], 0);
      }
    }
    double perPod = pods > 0 ? sum / pods : 0;
    for (int i = 0; i < n; i++) {
      double later = perPod * state.bindsFrom(p.names()[i], p.order());
      s.connections()[i] = Math.max(0, s.connections()[i] - later); // max keeps a NaN
    }
    return s.withPod(perPod);
  }
}
