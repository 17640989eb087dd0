package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decisions whose pods have no node yet. Beyond a bound the eldest are let go: their pods will not
 * be reckoned with. Not thread-safe.
 */
final class Waiting {
  static final long BYTES = 16 << 20;
  private static final int CANDIDATE_BYTES = 100;
  private static final int OWN_BYTES = 1_000;

  /**
   * A decision as far as the stock scheduler would have needed it.
   *
   * @param ownerPods pods of the pod's owner on each candidate, {@code [candidates]}
   * @param byBerth whether Berth's scores counted
   */
  record Open(String decision, Pod pod, Candidates candidates, int[] ownerPods, boolean byBerth) {
    long bytes() {
      return OWN_BYTES + (long) CANDIDATE_BYTES * candidates.size();
    }
  }

  private final LinkedHashMap<String, Open> open = new LinkedHashMap<>();
  private long bytes;
  private long letGo;

  /** How many were let go. */
  long letGo() {
    return letGo;
  }

  void add(Open asked) {
    take(asked.decision());
    open.put(asked.decision(), asked);
    bytes += asked.bytes();
    Iterator<Map.Entry<String, Open>> eldest = open.entrySet().iterator();
    while (bytes > BYTES) {
      bytes -= eldest.next().getValue().bytes();
      eldest.remove();
      letGo++;
    }
  }

  @Nullable Open take(String decision) {
    Open found = open.remove(decision);
    if (found != null) {
      bytes -= found.bytes();
    }
    return found;
  }
}
