package dev.berth.simulator.engine;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.simulator.scenario.OutcomeSpec;
import dev.berth.simulator.usage.Draws;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;

/**
 * Carries binds and ends to a cluster state as the scheduler's plugin reports them: in order, late,
 * stamped with the scheduler's clock, and some never. From time to time a full list of what runs
 * makes up for that: it names pods whose bind was lost, and whom it does not name is gone.
 *
 * <p>What is lost depends on seed and pod alone, so every policy misses the same reports.
 */
final class OutcomeFeed {
  private final OutcomeSpec spec;
  private final long seed;
  private final ClusterState state;
  private final Deque<Report> underway = new ArrayDeque<>();
  private final Map<String, Running> unanswered = new LinkedHashMap<>();
  private final Set<String> heard = new HashSet<>();
  private double now = Double.NEGATIVE_INFINITY;
  private long lists;

  /**
   * A report on its way.
   *
   * @param read what its arrival changes; given the second of the arrival
   */
  private record Report(double arrives, DoubleConsumer read) {}

  private record Running(Pod pod, String node, double since) {}

  OutcomeFeed(OutcomeSpec spec, long seed, ClusterState state) {
    this.spec = spec;
    this.seed = seed;
    this.state = state;
  }

  void bound(Pod pod, String node, double t) {
    if (!lost("bound/", pod.uid())) {
      Running bound = new Running(pod, node, stamp(t));
      unanswered.put(pod.uid(), bound);
      send("bound/" + pod.uid(), t, heardAt -> hear(bound));
    }
  }

  void gone(Pod pod, double t) {
    if (!lost("gone/", pod.uid())) {
      send("gone/" + pod.uid(), t, heardAt -> forget(pod.uid(), stamp(t)));
    }
  }

  /** Sends the full list when it is time to, and hands over what has arrived. */
  void deliver(Cluster truth, double t) {
    if (spec.loss() > 0 && t >= (lists + 1) * spec.resyncSeconds()) {
      lists = (long) Math.floor(t / spec.resyncSeconds());
      List<Running> running = new ArrayList<>();
      for (RunningPod p : truth.podsOf(null)) {
        running.add(new Running(p.spec().pod(), p.node().name(), stamp(p.boundAt())));
      }
      send("list/" + lists, t, heardAt -> compare(running, heardAt));
    }
    handOver(t);
  }

  private void send(String name, double t, DoubleConsumer read) {
    double delay = spec.delaySeconds().min();
    double spread = spec.delaySeconds().max() - delay;
    if (spread != 0) {
      delay += spread * Draws.uniform(Draws.hash(seed, "outcome/" + name));
    }
    underway.add(new Report(Math.max(now, t) + delay, read));
    handOver(t);
  }

  /**
   * A question comes in at {@code t}, which may lie within a tick. It names what its scheduler
   * reserved and has no answer to yet, so a burst's own binds are known whatever their reports'
   * way.
   */
  void asked(double t) {
    handOver(t);
    if (spec.reservations()) {
      List.copyOf(unanswered.values()).forEach(this::hear);
    }
  }

  /**
   * Hands over what has arrived by {@code t}, which may lie within a tick. A report cannot overtake
   * the one before it.
   */
  void handOver(double t) {
    now = Math.max(now, t);
    while (!underway.isEmpty() && underway.peek().arrives() <= now) {
      underway.remove().read().accept(now);
    }
  }

  private void hear(Running r) {
    heard.add(r.pod().uid());
    unanswered.remove(r.pod().uid());
    state.podBound(r.pod(), r.node(), r.since());
  }

  private void forget(String uid, double at) {
    heard.remove(uid);
    state.podGone(uid, at);
  }

  private void compare(List<Running> running, double t) {
    Set<String> unnamed = new TreeSet<>(heard);
    running.forEach(r -> unnamed.remove(r.pod().uid()));
    unnamed.forEach(uid -> forget(uid, t));
    running.forEach(this::hear);
  }

  private double stamp(double t) {
    return t + spec.clockOffsetSeconds();
  }

  private boolean lost(String kind, String uid) {
    return spec.loss() > 0 && Draws.uniform(Draws.hash(seed, "lost/" + kind + uid)) < spec.loss();
  }
}
