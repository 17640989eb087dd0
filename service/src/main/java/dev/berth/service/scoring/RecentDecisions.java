package dev.berth.service.scoring;

import dev.berth.service.queue.ByteMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest decisions of learned policies, as many as fit into some bytes: for whoever asks which
 * features moved them, which is worked out only then. Thread-safe.
 */
public final class RecentDecisions {
  private static final long BYTES = 16 << 20;

  private final ByteMap<DecisionRecord> kept = new ByteMap<>(BYTES);

  public synchronized void add(DecisionRecord decision) {
    if (decision.learnable() != null) {
      kept.put(decision.request().decision(), decision, decision.bytes());
    }
  }

  /** Null where no learned policy made it, or where it is too old. */
  public synchronized @Nullable DecisionRecord of(String decision) {
    return kept.get(decision);
  }
}
