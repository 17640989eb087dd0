package dev.berth.policy.cluster;

import java.util.List;

/**
 * GPUs a pod asks for.
 *
 * @param count number of cards, 0 for a CPU-only pod
 * @param milli milli-GPU asked of each card; 1..999 is a shared card and only valid with {@code
 *     count == 1}
 * @param models accepted card models; empty means any
 */
public record GpuRequest(int count, int milli, List<String> models) {
  /** A whole card in milli-GPU. */
  public static final int CARD_MILLI = 1000;

  public static final GpuRequest NONE = new GpuRequest(0, 0, List.of());

  public GpuRequest {
    models = List.copyOf(models);
    if (count < 0 || milli < 0 || milli > CARD_MILLI) {
      throw new IllegalArgumentException(
          "gpu-count must be >= 0 and gpu-milli 0..1000, got count=" + count + " milli=" + milli);
    }
    if (count > 1 && milli != CARD_MILLI) {
      throw new IllegalArgumentException(
          "a pod with gpu-count="
              + count
              + " takes whole cards: set gpu-milli to 1000, not "
              + milli);
    }
    if ((count == 0) != (milli == 0)) {
      throw new IllegalArgumentException(
          "gpu-count and gpu-milli are both zero or both positive, got count="
              + count
              + " milli="
              + milli);
    }
  }

  /** True for a part of one card. */
  public boolean sharesCard() {
    return count == 1 && milli < CARD_MILLI;
  }

  /** Total demand in milli-GPU. */
  public int totalMilli() {
    return count * milli;
  }
}
