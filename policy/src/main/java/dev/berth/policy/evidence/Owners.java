package dev.berth.policy.evidence;

/** Numbers of owners, the same in every process. */
public final class Owners {
  private Owners() {}

  /** Of an owner's pods. */
  public static int hash(String owner) {
    return mix(owner.hashCode());
  }

  /** Whether an owner is in the half that meets a tried version; another half for each version. */
  public static boolean meets(String owner, long version) {
    return mix(owner.hashCode() ^ mix(Long.hashCode(version))) < 0;
  }

  /** A number drawn from a seed for an index; half of them are below zero. */
  static int draw(long seed, long index) {
    return mix(Long.hashCode(index) ^ mix(Long.hashCode(seed)));
  }

  /** The finalizer of MurmurHash3: every bit depends on every bit. */
  private static int mix(int h) {
    int x = (h ^ (h >>> 16)) * 0x85ebca6b;
    x = (x ^ (x >>> 13)) * 0xc2b2ae35;
    return x ^ (x >>> 16);
  }
}
