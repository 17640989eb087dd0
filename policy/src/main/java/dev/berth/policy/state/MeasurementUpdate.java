package dev.berth.policy.state;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModels;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import dev.berth.policy.usage.UsageFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sample teaches of owners, pods and nodes: the cluster's state in the terms of {@link
 * UsageFilter}, and back.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class MeasurementUpdate {
  /** Seconds between two looks at the mean slowness of the nodes. */
  private static final double CENTRE_EVERY = 30;

  private final UsageConfig config;
  private final UsageFilter filter;
  private final NodeStates nodes;
  private final OwnerModels owners;
  private double centredAt = Double.NEGATIVE_INFINITY;

  MeasurementUpdate(UsageConfig config, UsageFilter filter, NodeStates nodes, OwnerModels owners) {
    this.config = config;
    this.filter = filter;
    this.nodes = nodes;
    this.owners = owners;
  }

  /** By a sample of a node of known capacity, which has one of CPU that is news. */
  void by(NodeSample s, NodeState node, double visibleAt) {
    UsageFilter.Surprise surprise = filter.update(observation(node, s));
    surprise = surprise.plus(node.podsMeasured(s, config));
    node.learned(surprise, s.windowEnd());
    boolean moved = filter.joint(); // which centring may outgrow
    centreSlowness(visibleAt);
    estimatesChanged(node, moved || filter.joint());
  }

  /**
   * By a sample of a pod that saw enough of it, with one of CPU that is news.
   *
   * @param coverage how much it saw, see {@link PodState#coverage}
   */
  void by(PodSample s, double coverage, PodState pod, NodeState node) {
    NodeSample ofNode = node.last;
    PodState.Measured before = pod.measured();
    UsageFilter.Surprise surprise =
        filter.update(
            new UsageFilter.PodObservation(
                pod.owner(),
                pod.deviation(),
                node.slowness,
                node.effect(),
                pod.cores() * coverage,
                s.cpuCores(),
                (s.windowStart() + s.windowEnd()) / 2,
                s.windowEnd() - s.windowStart(),
                before == null ? 0 : s.windowEnd() - before.sample().windowEnd(),
                ofNode != null && UsageFilter.saturated(ofNode.cpuCores(), node.capacity)));
    pod.measured(new PodState.Measured(s, surprise));
    if (!Double.isNaN(s.memoryBytes())) {
      pod.owner().heldMemory(s.memoryBytes() / PodState.memoryRequested(pod.pod()));
    }
    estimatesChanged(node, filter.joint());
  }

  /** Pods that left before a point in time can show in no sample any more. */
  void forgetDeparted(NodeState node, double before) {
    int old = 0; // in the order of going: of very many few are looked at
    while (old < node.departed.size() && node.departed.get(old).goneAt() <= before) {
      PodState p = node.departed.get(old++);
      filter.forget(p.owner(), p.deviation());
    }
    node.departed.subList(0, old).clear();
  }

  /** To be followed by {@link #estimatesChanged}: with correlations pods' estimates move, too. */
  private void centreSlowness(double now) {
    if (config.has(Part.NODE_SPEED) && now >= centredAt + CENTRE_EVERY) {
      centredAt = now;
      NodeEffects.estimate(nodes.all(), filter.joint()); // every node's row changes
      filter.centre(
          nodes.all().stream()
              .filter(n -> !Double.isNaN(n.capacity))
              .map(n -> n.slowness)
              .toList());
    }
  }

  /** A sample that was learned from told of pods on this node, or of pods everywhere. */
  private void estimatesChanged(NodeState node, boolean everywhere) {
    owners.changed();
    if (everywhere) {
      nodes.all().forEach(NodeState::estimatesChanged);
    } else {
      node.estimatesChanged();
    }
  }

  /** Pods on the node, then those that left it; each by what the window saw of it. */
  private UsageFilter.Observation observation(NodeState node, NodeSample s) {
    List<UsageFilter.Load> loads = new ArrayList<>();
    for (List<PodState> list : List.of(node.pods, node.departed)) {
      for (PodState p : list) {
        double cores = p.cores() * p.coverage(s, config);
        if (cores > 0) {
          PodState.Measured own = p.measured();
          double share = p.measuredShare(s, config);
          double measured =
              own == null || share == 0 ? Double.NaN : share * own.sample().cpuCores();
          loads.add(new UsageFilter.Load(p.owner(), p.deviation(), cores, measured));
        }
      }
    }
    double middle = (s.windowStart() + s.windowEnd()) / 2;
    double elapsed = Double.isInfinite(node.learnedUntil) ? 0 : s.windowEnd() - node.learnedUntil;
    return new UsageFilter.Observation(
        node.overhead, node.slowness, node.capacity, s.cpuCores(), middle, elapsed, loads);
  }
}
