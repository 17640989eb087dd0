package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * Memory that some owners' pods never give back: it grows from a pod's start to its end, by so much
 * of the request in an hour. A pod that was evicted begins anew.
 *
 * @param ownerShare share of owners that leak, 0..1
 * @param perHour growth in an hour / memory request, by owner
 */
public record MemoryLeak(double ownerShare, Range perHour) {

  /** Pods hold what they once took, and no more. */
  public static final MemoryLeak NONE = new MemoryLeak(0, new Range(0, 0));

  public MemoryLeak {
    if (!(ownerShare >= 0 && ownerShare <= 1)) {
      throw new IllegalArgumentException("share of leaking owners must be 0..1, got " + ownerShare);
    }
    if (!(perHour.min() >= 0)) {
      throw new IllegalArgumentException("a leak must not be negative, got " + perHour);
    }
  }

  /** An owner's own leak, of the request per second, from a stream that nothing else draws from. */
  double draw(long seed, String owner) {
    SplittableRandom random = Draws.stream(seed, "leak/" + owner);
    return random.nextDouble() < ownerShare ? perHour.draw(random) / 3600 : 0;
  }
}
