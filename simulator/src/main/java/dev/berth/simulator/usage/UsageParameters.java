package dev.berth.simulator.usage;

import org.jspecify.annotations.Nullable;

/**
 * The ranges that hidden owner behaviour is drawn from.
 *
 * @param cpuRatio mean CPU usage / request of an owner, before time of day and bursts
 * @param memoryRatio memory usage / request of an owner
 * @param leak what grows on top of it
 * @param amplitude relative height of the owner's daily sine, 0..1
 * @param phases how the owners' days lie to each other
 * @param daySeconds length of a day; simulations compress it (2 h), a real cluster has 86,400 s
 * @param burstShare share of owners that burst at all, 0..1
 * @param burstFactor usage multiplier during a burst
 * @param lifetime how long pods of services live
 * @param startUp what lies between a bind and steady work
 * @param nature what owners do beyond these smooth laws; null for nothing
 * @param recorded usage that is played back instead of drawn; null for none
 */
public record UsageParameters(
    Range cpuRatio,
    Range memoryRatio,
    MemoryLeak leak,
    Range amplitude,
    Phases phases,
    double daySeconds,
    double burstShare,
    Range burstFactor,
    Lifetime lifetime,
    StartUp startUp,
    @Nullable Nature nature,
    @Nullable Recorded recorded) {

  /** How the owners' days lie to each other. */
  public enum Phases {
    /** Every owner peaks at its own hour. */
    RANDOM,
    /** All peak within an eighth of a day of each other. */
    ALIGNED,
    /** One half peaks when the other half is low. */
    ANTIPHASE
  }

  public static final UsageParameters DEFAULT =
      new UsageParameters(
          new Range(0.2, 1.2),
          new Range(0.4, 0.95),
          MemoryLeak.NONE,
          new Range(0.1, 0.5),
          Phases.RANDOM,
          7200,
          0.5,
          new Range(1.5, 3),
          Lifetime.exponential(2400),
          StartUp.NONE,
          null,
          null);

  private static final Lifetime JOB = Lifetime.exponential(240);

  /** Usage that is drawn. */
  public UsageParameters(
      Range cpuRatio,
      Range memoryRatio,
      MemoryLeak leak,
      Range amplitude,
      Phases phases,
      double daySeconds,
      double burstShare,
      Range burstFactor,
      Lifetime lifetime,
      StartUp startUp) {
    this(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        daySeconds,
        burstShare,
        burstFactor,
        lifetime,
        startUp,
        null,
        null);
  }

  public UsageParameters {
    check(cpuRatio.min() >= 0, "ratio must not be negative, got " + cpuRatio);
    check(memoryRatio.min() >= 0, "memory ratio must not be negative, got " + memoryRatio);
    check(
        amplitude.min() >= 0 && amplitude.max() <= 1,
        "amplitude must lie within 0..1 (usage cannot be negative), got " + amplitude);
    check(daySeconds > 0, "a day must be longer than 0 s, got " + daySeconds);
    check(burstShare >= 0 && burstShare <= 1, "burst share must be 0..1, got " + burstShare);
    check(burstFactor.min() >= 1, "a burst factor below 1 is no burst, got " + burstFactor);
  }

  /** How long the pods of this owner live: Jobs are done within minutes, whatever services do. */
  public Lifetime lifetimeOf(String owner) {
    return owner.contains("/Job/") ? JOB : lifetime;
  }

  public UsageParameters withDaySeconds(double seconds) {
    return new UsageParameters(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        seconds,
        burstShare,
        burstFactor,
        lifetime,
        startUp,
        nature,
        recorded);
  }

  public UsageParameters withLifetime(Lifetime newLifetime) {
    return new UsageParameters(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        daySeconds,
        burstShare,
        burstFactor,
        newLifetime,
        startUp,
        nature,
        recorded);
  }

  public UsageParameters withStartUp(StartUp newStartUp) {
    return new UsageParameters(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        daySeconds,
        burstShare,
        burstFactor,
        lifetime,
        newStartUp,
        nature,
        recorded);
  }

  /** Owners that are restless. */
  public UsageParameters withNature(@Nullable Nature newNature) {
    return new UsageParameters(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        daySeconds,
        burstShare,
        burstFactor,
        lifetime,
        startUp,
        newNature,
        recorded);
  }

  /** Plays usage back instead of drawing it. */
  public UsageParameters withRecorded(Recorded newRecorded) {
    return new UsageParameters(
        cpuRatio,
        memoryRatio,
        leak,
        amplitude,
        phases,
        daySeconds,
        burstShare,
        burstFactor,
        lifetime,
        startUp,
        nature,
        newRecorded);
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
