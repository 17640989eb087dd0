package dev.berth.simulator.workload;

import java.util.Arrays;
import java.util.List;

/**
 * Recorded arrivals, in time order.
 *
 * @param name where they came from, for messages
 */
public record Arrivals(String name, List<Batch> batches) {

  /**
   * Alike pods that were submitted together.
   *
   * @param at second, from any zero
   * @param owner natural key
   * @param cpuMilli what each asks for
   * @param memoryBytes the same; 0 where the source has none
   * @param lives of each pod, seconds; infinity for one that outlived the record
   */
  public record Batch(double at, String owner, long cpuMilli, long memoryBytes, float[] lives) {
    public Batch {
      check(
          !owner.isEmpty(), "pods without owner: write their application, or a name of their own");
      check(cpuMilli > 0, "pods that ask for no CPU: write cores above 0");
      check(memoryBytes >= 0, "memory is negative");
      check(lives.length > 0, "no pods: write the life of each");
      for (float life : lives) {
        check(life > 0, "a life of " + life + " s: write seconds above 0, or inf");
      }
    }
  }

  public Arrivals {
    batches = List.copyOf(batches);
    check(!batches.isEmpty(), name + ": no arrivals in it");
    for (int i = 1; i < batches.size(); i++) {
      check(
          batches.get(i).at() >= batches.get(i - 1).at(),
          "%s: batch %d comes before the one above it: sort them by time".formatted(name, i + 1));
    }
  }

  /** From the first arrival to the last, seconds. */
  double spanSeconds() {
    return batches.get(batches.size() - 1).at() - batches.get(0).at();
  }

  /** Names content and not place: results of other arrivals must not be taken for these'. */
  @Override
  public String toString() {
    int hash = 0;
    for (Batch b : batches) {
      hash =
          31 * hash + Double.hashCode(b.at()) + b.owner().hashCode() + Arrays.hashCode(b.lives());
      hash = 31 * hash + Long.hashCode(b.cpuMilli()) + Long.hashCode(b.memoryBytes());
    }
    return "arrivals %08x of %d batches".formatted(hash, batches.size());
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
