package dev.berth.policy.bookkeeping;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;

/**
 * What is known of the cluster between two samples. The owner feeds it with binds, ends and samples
 * in time order and policies read it.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public interface Bookkeeping {

  /** A pod was reserved or bound on a node; a second call for the same uid and node is ignored. */
  void podBound(Pod pod, String node, double at);

  /**
   * A pod left its node (finished, deleted, or its reservation was taken back); unknown uids are
   * ignored.
   */
  void podGone(String podUid, double at);

  /** A sample became visible. NaN fields are kept as unknown, infinite ones refused and counted. */
  void sample(NodeSample sample, double visibleAt);

  /** A node left the cluster. */
  void nodeGone(String node);
}
