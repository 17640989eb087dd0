package dev.berth.simulator.engine;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.Draws;

/** A fingerprint of a run: every bind, end and sample in order. Equal runs have equal hashes. */
public final class DecisionHash implements SimulationListener {
  private long hash;
  private long binds;

  @Override
  public void bound(Pod pod, String node, double at) {
    binds++;
    hash = Draws.hash(hash, pod.uid() + ">" + node + "@" + at);
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    hash = Draws.hash(hash, pod.uid() + "<" + node + "@" + at);
  }

  @Override
  public void sampled(NodeSample sample, double visibleAt) {
    hash = Draws.hash(hash, text(sample));
  }

  /** What {@link NodeSample#toString} says; a record's own goes through a formatter. */
  static String text(NodeSample s) {
    return "NodeSample[node="
        + s.node()
        + ", windowStart="
        + s.windowStart()
        + ", windowEnd="
        + s.windowEnd()
        + ", cpuCores="
        + s.cpuCores()
        + ", memoryBytes="
        + s.memoryBytes()
        + ", connections="
        + s.connections()
        + ", latencyMillis="
        + s.latencyMillis()
        + "]";
  }

  public long value() {
    return hash;
  }

  public long binds() {
    return binds;
  }
}
