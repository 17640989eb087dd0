package dev.berth.service.scoring;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What the node of a placed pod used five minutes later, decision by decision, so that whoever asks
 * why a pod is where it is also learns whether the forecast came true. {@link ForecastCheck} says
 * how good forecasts are on the whole; it looks at one decision a minute.
 *
 * <p>Thread rule: reads the cluster state, so the scorer's lock guards every method but {@link
 * #dropped}.
 */
final class PlacementMeter {
  /** A sample tells of the minute before it is seen: wait that much longer. */
  private static final double LAG = 45;

  /** What is looked at so late, after a pause, would speak of another time. */
  private static final double TOO_LATE = 120;

  /** Looked at under one hold of the lock. */
  private static final int AT_ONCE = 100;

  /** Half an hour's binds of 2,000 a minute, or six minutes' of 10,000. */
  private static final long MAX_BYTES = 16 << 20;

  private static final int ENTRY_BYTES = 160;

  private final Deque<Placed> waiting = new ArrayDeque<>();
  private long bytes;
  private volatile long dropped;

  /**
   * @param order binds before its own: what it and later ones brought is told apart by that
   */
  private record Placed(String decision, String node, long order, double at) {
    long bytes() {
      return ENTRY_BYTES + decision.length() + node.length();
    }
  }

  /** Outcomes that the cluster state knows by now. */
  void happened(List<OutcomeEvent> events, ClusterState state, double now) {
    for (OutcomeEvent event : events) {
      String decision = event.decision();
      String node = event.node();
      if (event.type() == OutcomeEvent.Type.BOUND && decision != null && node != null) {
        add(new Placed(decision, node, state.order(event.uid()), now));
      }
    }
  }

  private void add(Placed placed) {
    if (bytes + placed.bytes() > MAX_BYTES) {
      dropped++;
    } else if (placed.order() >= 0) {
      bytes += placed.bytes();
      waiting.addLast(placed);
    }
  }

  /**
   * Looks at the nodes of some pods whose time has come.
   *
   * @param found where what was measured goes
   * @return whether more are due
   */
  boolean measure(double now, ClusterState state, List<Measured> found) {
    for (int i = 0; i < AT_ONCE; i++) {
      if (!due(now)) {
        return false;
      }
      Placed placed = waiting.removeFirst();
      bytes -= placed.bytes();
      NodeSample last = state.fresh(placed.node(), now);
      double cores = state.cpuCapacity(placed.node());
      if (now <= placed.at() + Measured.AFTER_SECONDS + LAG + TOO_LATE
          && last != null
          && cores > 0) {
        add(placed, cores, now, state, found);
      }
    }
    return due(now);
  }

  private static void add(
      Placed placed, double cores, double now, ClusterState state, List<Measured> found) {
    double used =
        state.measuredCpuWithout(placed.node(), Long.MAX_VALUE, now, Measured.OVER_SECONDS);
    double without =
        state.measuredCpuWithout(placed.node(), placed.order(), now, Measured.OVER_SECONDS);
    if (Double.isFinite(without)) {
      found.add(
          new Measured(placed.decision(), placed.order(), now, used / cores, without / cores));
    }
  }

  private boolean due(double now) {
    return !waiting.isEmpty() && waiting.getFirst().at() + Measured.AFTER_SECONDS + LAG <= now;
  }

  /** Placed pods that nobody will look at, because too many waited. */
  long dropped() {
    return dropped;
  }
}
