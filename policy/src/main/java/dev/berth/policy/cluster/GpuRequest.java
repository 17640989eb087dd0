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
  public static final GpuRequest NONE = new GpuRequest(0, 0, List.of());

  public GpuRequest {
    models = List.copyOf(models);
    if (count < 0 || milli < 0 || milli > 1000) {
      throw new IllegalArgumentException(
          "gpu-count must be >= 0 and gpu-milli 0..1000, got count=" + count + " milli=" + milli);
    }
    if (count > 1 && milli != 1000) {
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

  /** Total demand in milli-GPU. */
  public int totalMilli() {
    return count * milli;
  }
}
