package dev.berth.simulator.usage;

/**
 * How owners behave in a restless world: what the smooth laws of {@link OwnerProfile} leave out.
 * Everything about an owner is drawn from these, so that no two are of one kind.
 *
 * @param unlike share of owners whose replicas differ widely, 0..1; those of the others are alike
 * @param releaseSeconds mean time between two steps of an owner's level; infinity for never
 * @param weekend load at weekends / on weekdays, by owner
 * @param daySeconds length of a day, drawn once by seed; nobody is told
 * @param common sigma of what all owners have in common, as a logarithm
 * @param bursts share of owners with bursts of heavy-tailed length and height, 0..1
 * @param memoryFollows share of a pod's memory that goes with its load, 0..1, by owner
 */
public record Nature(
    double unlike,
    double releaseSeconds,
    Range weekend,
    Range daySeconds,
    double common,
    double bursts,
    Range memoryFollows) {
  /** What a scenario that says no more has. */
  public static final Nature DEFAULT =
      new Nature(
          0.45,
          4.5 * 3600,
          new Range(0.4, 1.05),
          new Range(4000, 11_000),
          0.22,
          0.37,
          new Range(0, 0.65));

  // What sets pods of an owner apart; what no scenario has reason to change.
  static final Range ALIKE = new Range(0.025, 0.11);
  static final Range UNLIKE = new Range(0.38, 0.85);
  static final Range NOISE = new Range(0.04, 0.52);
  static final Range NOISE_MEMORY_SECONDS = new Range(13, 420);
  static final Range RAMP_SECONDS = new Range(3, 155);

  public Nature {
    check(unlike >= 0 && unlike <= 1, "unlike must be a share, 0..1, got " + unlike);
    check(releaseSeconds > 0, "releases must be apart, got every " + releaseSeconds + " s");
    check(weekend.min() >= 0, "weekend must not be negative, got " + weekend);
    check(daySeconds.min() > 0, "a day must be longer than 0 s, got " + daySeconds);
    check(common >= 0, "common must not be negative, got " + common);
    check(bursts >= 0 && bursts <= 1, "bursts must be a share, 0..1, got " + bursts);
    check(
        memoryFollows.min() >= 0 && memoryFollows.max() <= 1,
        "memory_follows must be a share, 0..1, got " + memoryFollows);
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }

  /** What sets the pods of one owner apart. */
  PodLaw podLaw(long seed, String owner) {
    var random = Draws.stream(seed, "pods of/" + owner);
    boolean different = random.nextDouble() < unlike;
    double spread = (different ? UNLIKE : ALIKE).draw(random);
    double noise = NOISE.draw(random);
    double memory = logarithmic(NOISE_MEMORY_SECONDS, random.nextDouble());
    double ramp = logarithmic(RAMP_SECONDS, random.nextDouble());
    return new PodLaw(spread, noise, memory, ramp);
  }

  /** Evenly over orders of magnitude. */
  static double logarithmic(Range range, double share) {
    return range.min() * Math.pow(range.max() / range.min(), share);
  }
}
