package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * Randomness addressed by name: the same seed and key give the same stream on every run, whatever
 * else was drawn before. This is what makes common random numbers possible: a pod's noise does not
 * depend on where a policy put it.
 */
public final class Draws {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;
  // Four independent 16-bit uniforms have variance 4/12 and mean 2: scale to mean 0, variance 1.
  private static final double SQRT3 = Math.sqrt(3);

  private Draws() {}

  /** An independent stream for one key. */
  public static SplittableRandom stream(long seed, String key) {
    return new SplittableRandom(hash(seed, key));
  }

  /** A well-mixed 64-bit hash of seed and key (FNV-1a, then SplitMix64's finaliser). */
  public static long hash(long seed, String key) {
    long h = 0xcbf29ce484222325L;
    for (int i = 0; i < key.length(); i++) {
      h = (h ^ key.charAt(i)) * 0x100000001b3L;
    }
    return mix(h ^ mix(seed + GOLDEN));
  }

  /** The {@code index}-th 64-bit value of the stream {@code base}, without drawing those before. */
  public static long at(long base, long index) {
    return mix(base + GOLDEN * index);
  }

  /** Uniform in [0, 1) from a hash. */
  public static double uniform(long hash) {
    return (hash >>> 11) * UNIT;
  }

  /**
   * Roughly normal (Irwin-Hall of four, within +-3.46) from a hash. Ten times cheaper than an exact
   * normal, and pod noise is drawn once per pod and tick.
   */
  public static double gaussian(long hash) {
    long sum = (hash & 0xFFFF) + (hash >>> 16 & 0xFFFF) + (hash >>> 32 & 0xFFFF) + (hash >>> 48);
    return (sum * 0x1.0p-16 - 2) * SQRT3;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
