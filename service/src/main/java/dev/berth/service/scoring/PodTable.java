package dev.berth.service.scoring;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.queue.Newest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The one door through which pods reach the cluster state, which alone knows what runs where.
 *
 * <p>Events may be lost on the way (a full queue, a scheduler that died), so a scheduler sends its
 * full list of running pods from time to time, between {@code list_begin} and {@code list_end}.
 * Once the end is here, whoever was not named since the begin is gone. That holds for pods restored
 * from disk, too. Not thread-safe: the scorer's lock guards it.
 */
final class PodTable {
  /**
   * A pod heard of so shortly before a list began is left to the next one: another scheduler
   * reported it, and the bind may not have reached the cache that the list was read from.
   */
  static final double JUST_HEARD_SECONDS = 10;

  /**
   * A pod that is only reserved may wait for so long for a volume (the scheduler's bindTimeout) or
   * in Permit: only the list of its own scheduler names it. Whom no list named is gone then.
   */
  static final double RESERVED_SECONDS = 600;

  /** Of memory that a known pod takes, some 900 bytes, and of what comes of it while it is new. */
  private static final int POD_BYTES = 3_000;

  /** No sample's window is as long. */
  private static final double SAMPLED_SECONDS = 600;

  private final ClusterState state;
  private final Map<String, Heard> heard = new HashMap<>();
  private final PodNames names = new PodNames();
  private final Map<String, ListBegin> lists = new Newest<>(16);

  /** A bind that is reported after the end of its pod is old news. */
  private final Set<String> ended = Collections.newSetFromMap(new Newest<>(10_000));

  /** By uid, when its last reservation was taken back. */
  private final Map<String, Double> takenBack = new Newest<>(10_000);

  /** Reserved pods that a full list did not name, by uid, as they were heard of. */
  private final Map<String, Heard> doubted = new HashMap<>();

  private final int most;
  private volatile long refused;

  /** Counts events: their order, unlike the clock, never runs backwards. */
  private long turn;

  /**
   * @param turn of the last event that named the pod
   * @param at when that was heard, seconds since the epoch
   * @param happened the latest that was heard of it, by the time of the event
   * @param reserved it is not known to be bound
   */
  private record Heard(long turn, double at, double happened, boolean reserved) {}

  private record ListBegin(long turn, double at) {}

  PodTable(ClusterState state) {
    this(state, most());
  }

  /**
   * @param most pods that are known at a time: of others nothing is noted
   */
  PodTable(ClusterState state, int most) {
    this.state = state;
    this.most = most;
  }

  /** Pods that a heap of this size has room for: 80,000 of 256 MiB. */
  static int most() {
    return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / POD_BYTES);
  }

  /** Pods that were told of and not taken in, because too many are known. */
  long refused() {
    return refused;
  }

  /** Who has which name; to be asked by anybody. */
  PodNames names() {
    return names;
  }

  /**
   * Takes up the pods of the last run. One that is bound later than now was bound by a clock that
   * was ahead: it runs for long enough that every sample shows it.
   */
  void restore(List<RunningPod> restored, double now) {
    for (RunningPod pod : restored) {
      heard.put(pod.pod().uid(), new Heard(0, Double.NEGATIVE_INFINITY, pod.since(), false));
      names.placed(pod.pod(), pod.node());
      state.podBound(
          pod.pod(), pod.node(), pod.since() > now ? now - SAMPLED_SECONDS : pod.since());
    }
  }

  /**
   * Returns the uids of pods that are gone, as a full list or an end told before says, and of those
   * that are not taken in.
   */
  List<String> apply(List<OutcomeEvent> events, double now) {
    List<String> forgotten = new ArrayList<>();
    for (OutcomeEvent event : events) {
      turn++;
      switch (event.type()) {
        case RESERVED, BOUND, ASSIGNED -> place(event, now, forgotten);
        case UNRESERVED, GONE -> leave(event);
        // A batch may come twice: the begin that counts is the first.
        case LIST_BEGIN -> lists.putIfAbsent(event.uid(), new ListBegin(turn, now));
        case LIST_END -> forgetUnnamed(event.uid(), now, forgotten);
      }
    }
    if (!doubted.isEmpty()) {
      forgetDoubted(now, forgotten);
    }
    forgotten.removeIf(heard::containsKey); // of a late batch, one event after another
    return forgotten;
  }

  boolean knows(String uid) {
    return heard.containsKey(uid);
  }

  /** A pod that is known elsewhere moves. */
  private void place(OutcomeEvent event, double now, List<String> forgotten) {
    String uid = event.uid();
    if (ended.contains(uid)) {
      forgotten.add(uid);
      return;
    }
    Heard last = heard.get(uid);
    if (last == null && heard.size() >= most) {
      refused++;
      forgotten.add(uid);
      return;
    }
    boolean reserves = event.type() == OutcomeEvent.Type.RESERVED;
    double since =
        last == null ? takenBack.getOrDefault(uid, Double.NEGATIVE_INFINITY) : last.happened();
    if (reserves && event.at() < since) {
      if (last == null) {
        forgotten.add(uid);
      }
      return; // a question that was late, or a batch sent again, tells what has passed since
    }
    boolean stillReserved =
        last != null && last.reserved() && event.type() == OutcomeEvent.Type.ASSIGNED;
    heard.put(uid, new Heard(turn, now, Math.max(event.at(), since), reserves || stillReserved));
    Pod pod = Objects.requireNonNull(event.pod());
    String node = Objects.requireNonNull(event.node());
    names.placed(pod, node);
    state.podBound(pod, node, event.at());
  }

  private void leave(OutcomeEvent event) {
    String uid = event.uid();
    if (event.type() == OutcomeEvent.Type.GONE) { // wherever it is believed to be
      ended.add(uid);
      remove(uid);
      state.podGone(uid, event.at());
      return;
    }
    takenBack.merge(uid, event.at(), Math::max);
    Heard last = heard.get(uid);
    String node = state.nodeOf(uid);
    // Taken back on one node it may be on another, and what is told late says nothing of the next
    // reservation.
    boolean there = node != null && (event.node() == null || event.node().equals(node));
    if (there && (last == null || event.at() >= last.happened())) {
      remove(uid);
      state.podTakenBack(uid, event.at());
    }
  }

  private void remove(String uid) {
    heard.remove(uid);
    names.left(uid);
  }

  /**
   * A list whose begin another process of this service heard, or nobody, is not complete and says
   * nothing. Who is forgotten here may come back: it is not known to have ended.
   */
  private void forgetUnnamed(String list, double now, List<String> forgotten) {
    ListBegin begin = lists.remove(list);
    if (begin == null) {
      return;
    }
    heard
        .entrySet()
        .removeIf(
            entry -> {
              Heard last = entry.getValue();
              double spared = last.reserved() ? RESERVED_SECONDS : JUST_HEARD_SECONDS;
              boolean unnamed = last.turn() < begin.turn();
              boolean gone = unnamed && last.at() < begin.at() - spared;
              if (gone) {
                forget(entry.getKey(), last, now, forgotten);
              } else if (unnamed && last.reserved()) {
                doubted.put(entry.getKey(), last);
              }
              return gone;
            });
  }

  /** Those whose time is up, and of whom nothing was heard since the list. */
  private void forgetDoubted(double now, List<String> forgotten) {
    doubted
        .entrySet()
        .removeIf(
            entry -> {
              boolean heardSince = heard.get(entry.getKey()) != entry.getValue();
              boolean due = entry.getValue().at() < now - RESERVED_SECONDS;
              if (due && !heardSince) {
                heard.remove(entry.getKey());
                forget(entry.getKey(), entry.getValue(), now, forgotten);
              }
              return due || heardSince;
            });
  }

  private void forget(String uid, Heard last, double now, List<String> forgotten) {
    forgotten.add(uid);
    names.left(uid);
    if (last.reserved()) {
      state.podTakenBack(uid, now);
    } else {
      state.podGone(uid, now);
    }
  }
}
