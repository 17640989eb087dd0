package dev.berth.simulator.engine;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;

/**
 * Hears what a live service would hear, in the same order: decisions, binds, ends, samples, time.
 * The cluster state of the decision has already taken in whatever is announced here, except binds
 * and ends where the scenario delays or loses their reports: listeners hear of those as they
 * happen.
 *
 * <p>Thread rule: the thread of the simulation.
 */
public interface SimulationListener {

  /**
   * The policy ranked the candidates and one was taken; {@link #bound} follows.
   *
   * @param preferences as the policy wrote them, {@code [candidates]}; copy what you keep
   * @param chosen index of the candidate taken
   */
  default void decided(Decision decision, double[] preferences, int chosen) {}

  /** A pod is on a node, placed by the policy, by the fallback or because only one node fitted. */
  default void bound(Pod pod, String node, double at) {}

  /** A pod left its node: finished, deleted or evicted. */
  default void gone(Pod pod, String node, double at) {}

  /** A pod was evicted for lack of memory; {@link #gone} follows. */
  default void evicted(Pod pod, String node, double at) {}

  /** A sample became visible to the scorer. */
  default void sampled(NodeSample sample, double visibleAt) {}

  /** A node left the cluster; its pods were announced as gone before. */
  default void nodeGone(String node, double at) {}

  /** An epoch ends: everything is deleted after this call. Not called at the end of the run. */
  default void epochEnds(Cluster truth, double at) {}

  /**
   * A tick passed.
   *
   * @param truth what the cluster really did during the tick; not for scorers
   * @param from start of the tick
   * @param seconds its length
   */
  default void advanced(Cluster truth, double from, double seconds) {}
}
