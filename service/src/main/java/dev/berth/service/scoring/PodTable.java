package dev.berth.service.scoring;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  /** No sample's window is as long. */
  private static final double SAMPLED_SECONDS = 600;

  private final ClusterState state;
  private final Map<String, Heard> heard = new HashMap<>();
  private final PodNames names = new PodNames();
  private final Map<String, ListBegin> lists = new Recent<>(16);
  private final Set<String> ended = Collections.newSetFromMap(new Recent<>(10_000));

  /** Counts events: their order, unlike the clock, never runs backwards. */
  private long turn;

  /**
   * @param turn of the last event that named the pod
   * @param at when that was, seconds since the epoch
   */
  private record Heard(long turn, double at) {}

  private record ListBegin(long turn, double at) {}

  PodTable(ClusterState state) {
    this.state = state;
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
      heard.put(pod.pod().uid(), new Heard(0, Double.NEGATIVE_INFINITY));
      names.placed(pod.pod(), pod.node());
      state.podBound(
          pod.pod(), pod.node(), pod.since() > now ? now - SAMPLED_SECONDS : pod.since());
    }
  }

  /** Returns the uids of pods that a full list has shown to be gone. */
  List<String> apply(List<OutcomeEvent> events, double now) {
    List<String> forgotten = new ArrayList<>();
    for (OutcomeEvent event : events) {
      turn++;
      switch (event.type()) {
        case RESERVED, BOUND, ASSIGNED -> place(event, now);
        case UNRESERVED, GONE -> leave(event);
        // A batch may come twice: the begin that counts is the first.
        case LIST_BEGIN -> lists.putIfAbsent(event.uid(), new ListBegin(turn, now));
        case LIST_END -> forgetUnnamed(event.uid(), now, forgotten);
      }
    }
    return forgotten;
  }

  /** A pod that is known elsewhere moves. */
  private void place(OutcomeEvent event, double now) {
    if (!ended.contains(event.uid())) {
      heard.put(event.uid(), new Heard(turn, now));
      Pod pod = Objects.requireNonNull(event.pod());
      String node = Objects.requireNonNull(event.node());
      names.placed(pod, node);
      state.podBound(pod, node, event.at());
    }
  }

  /** A reservation taken back on one node says nothing about the same pod on another. */
  private void leave(OutcomeEvent event) {
    if (event.type() == OutcomeEvent.Type.GONE) {
      ended.add(event.uid());
    }
    String node = state.nodeOf(event.uid());
    if (node != null && (event.node() == null || event.node().equals(node))) {
      heard.remove(event.uid());
      names.left(event.uid());
      state.podGone(event.uid(), event.at());
    }
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
              boolean unnamed =
                  last.turn() < begin.turn() && last.at() < begin.at() - JUST_HEARD_SECONDS;
              if (unnamed) {
                forgotten.add(entry.getKey());
                names.left(entry.getKey());
                state.podGone(entry.getKey(), now);
              }
              return unnamed;
            });
  }

  /** Keeps the newest entries. Of ended pods: a bind that is reported after the end is old news. */
  private static final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;
    private final int kept;

    Recent(int kept) {
      this.kept = kept;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > kept;
    }
  }
}
