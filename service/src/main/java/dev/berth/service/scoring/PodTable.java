package dev.berth.service.scoring;

import dev.berth.policy.bookkeeping.Bookkeeping;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which pod runs where, and the one door through which pods reach the bookkeeping.
 *
 * <p>Pods restored from disk are believed until a scheduler sends its full list of running pods
 * ({@code assigned} events, in any number of batches): what nobody confirms within a minute of the
 * first of them ended while nobody looked, and is forgotten. Not thread-safe: the scorer's lock
 * guards it.
 */
final class PodTable {
  private static final double LIST_SECONDS = 60;

  private final Bookkeeping books;
  private final Map<String, RunningPod> pods = new HashMap<>();
  private final Set<String> unconfirmed = new HashSet<>();
  private double listBegan = Double.NaN;
  private final Set<String> ended = Collections.newSetFromMap(new RecentlyEnded());

  PodTable(Bookkeeping books) {
    this.books = books;
  }

  void restore(List<RunningPod> restored) {
    for (RunningPod pod : restored) {
      pods.put(pod.pod().uid(), pod);
      unconfirmed.add(pod.pod().uid());
      books.podBound(pod.pod(), pod.node(), pod.since());
    }
  }

  void apply(List<OutcomeEvent> events, double now) {
    for (OutcomeEvent event : events) {
      if (event.type() == OutcomeEvent.Type.ASSIGNED && Double.isNaN(listBegan)) {
        listBegan = now;
      }
      if (event.type().places()) {
        place(event);
      } else {
        leave(event);
      }
    }
  }

  private void place(OutcomeEvent event) {
    RunningPod next =
        new RunningPod(
            Objects.requireNonNull(event.pod()), Objects.requireNonNull(event.node()), event.at());
    unconfirmed.remove(event.uid());
    RunningPod known = pods.get(event.uid());
    if (ended.contains(event.uid()) || (known != null && known.node().equals(next.node()))) {
      return;
    }
    if (known != null) {
      books.podGone(event.uid(), event.at());
    }
    pods.put(event.uid(), next);
    books.podBound(next.pod(), next.node(), next.since());
  }

  /** A reservation taken back on one node says nothing about the same pod on another. */
  private void leave(OutcomeEvent event) {
    if (event.type() == OutcomeEvent.Type.GONE) {
      ended.add(event.uid());
    }
    RunningPod known = pods.get(event.uid());
    if (known != null && (event.node() == null || event.node().equals(known.node()))) {
      pods.remove(event.uid());
      unconfirmed.remove(event.uid());
      books.podGone(event.uid(), event.at());
    }
  }

  /** Forgets restored pods that the list did not name; returns their uids. */
  List<String> forgetUnconfirmed(double now) {
    if (unconfirmed.isEmpty() || !(now > listBegan + LIST_SECONDS)) {
      return List.of();
    }
    List<String> forgotten = List.copyOf(unconfirmed);
    for (String uid : forgotten) {
      pods.remove(uid);
      books.podGone(uid, now);
    }
    unconfirmed.clear();
    return forgotten;
  }

  int size() {
    return pods.size();
  }

  /** A uid never comes back, so a bind that is reported after the end is old news. */
  private static final class RecentlyEnded extends LinkedHashMap<String, Boolean> {
    private static final long serialVersionUID = 1L;
    private static final int KEPT = 10_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > KEPT;
    }
  }
}
