package dev.berth.service.trainer;

import dev.berth.policy.agent.OpenDecision;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decisions whose pods are not bound yet, by id; bounded in bytes. What a pod's node was worth can
 * only be learned once it is known which one it was: not always the one that was put first (other
 * scorers have their say, equal scores are drawn by lot, a shadow's scores are thrown away).
 *
 * <p>Thread rule: one thread; {@link #lost} and {@link #size} may be read by any.
 */
final class AwaitingBinds {
  /** A scheduler gives up on a pod's volumes after ten minutes. */
  private static final double MAX_SECONDS = 600;

  /** Why a decision is not learned from. */
  private enum Loss {
    /** The oldest, when there was no room. */
    MEMORY,
    /** Nobody said what became of the pod. */
    NO_OUTCOME,
    /** The reservation was taken back: the pod will be asked about again. */
    UNRESERVED,
    /** Under the same id: the client did not wait for the answer before. */
    ASKED_AGAIN,
    /** Bound to a node that was not among those kept, see {@link OpenDecision}. */
    ELSEWHERE
  }

  private record Waiting(OpenDecision decision, double since) {}

  private final long limit;
  private final Runnable takenBack;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final Map<Loss, LongAdder> lost = new EnumMap<>(Loss.class);
  private long bytes;
  private volatile int size;

  /**
   * @param limit bytes
   * @param takenBack run for every decision that is, or is asked again: a pod that is asked about
   *     and taken back again and again must not use up what others are learned from
   */
  AwaitingBinds(long limit, Runnable takenBack) {
    this.limit = limit;
    this.takenBack = takenBack;
    for (Loss loss : Loss.values()) {
      lost.put(loss, new LongAdder());
    }
  }

  /** Asked twice under one id, the newer answer is the one that was used. */
  void add(OpenDecision decision, double now) {
    if (take(decision.id()) != null) {
      lose(Loss.ASKED_AGAIN);
      takenBack.run();
    }
    Iterator<Waiting> oldest = waiting.values().iterator();
    while (oldest.hasNext()) {
      Waiting w = oldest.next();
      boolean late = w.since() < now - MAX_SECONDS;
      if (!late && bytes + decision.bytes() <= limit) {
        break;
      }
      oldest.remove();
      bytes -= w.decision().bytes();
      lose(late ? Loss.NO_OUTCOME : Loss.MEMORY);
    }
    if (decision.bytes() <= limit) {
      waiting.put(decision.id(), new Waiting(decision, now));
      bytes += decision.bytes();
    } else {
      lose(Loss.MEMORY);
    }
    size = waiting.size();
  }

  /** The decision that bound a pod, if it can be learned from; it waits no longer. */
  @Nullable OpenDecision bound(String id, String node) {
    OpenDecision decision = take(id);
    if (decision != null && decision.indexOf(node) < 0) {
      lose(Loss.ELSEWHERE);
      return null;
    }
    return decision;
  }

  void unreserved(String id) {
    if (take(id) != null) {
      lose(Loss.UNRESERVED);
      takenBack.run();
    }
  }

  private @Nullable OpenDecision take(String id) {
    Waiting found = waiting.remove(id);
    if (found == null) {
      return null;
    }
    bytes -= found.decision().bytes();
    size = waiting.size();
    return found.decision();
  }

  private void lose(Loss loss) {
    LongAdder count = lost.get(loss);
    if (count != null) {
      count.increment();
    }
  }

  /** Decisions that nothing could be learned from, by cause. */
  Map<String, Long> lost() {
    Map<String, Long> counts = new TreeMap<>();
    lost.forEach(
        (k, n) -> counts.put(k.name().toLowerCase(Locale.ROOT).replace('_', '-'), n.sum()));
    return counts;
  }

  int size() {
    return size;
  }
}
