package dev.berth.policy.evidence;

/**
 * The timetable of a switchback experiment: two arms serve in turn, a slot each, and which of them
 * has the first slot of a pair is drawn anew for each pair. So whatever else changes in a pair,
 * time of day above all, favours both alike.
 *
 * <p>Pods outlive a slot: what an arm placed still runs in the other's. The first part of a slot is
 * therefore not measured, and what is left of the effect is a part of what the arm would do alone.
 *
 * <p>Source: Bojinov, Simchi-Levi and Zhao, "Design and Analysis of Switchback Experiments", 2023.
 *
 * @param seed of the draws
 * @param start seconds since the epoch at which the first slot begins
 * @param seconds length of a slot
 * @param washout seconds at a slot's beginning that are not measured
 */
public record Slots(long seed, double start, double seconds, double washout) {

  /** Who serves. */
  public enum Arm {
    A,
    B
  }

  public Slots {
    if (!(seconds > 0) || !(washout >= 0) || !(washout < seconds)) {
      throw new IllegalArgumentException(
          "a slot of "
              + seconds
              + " s with "
              + washout
              + " s not measured: need 0 <= washout < slot");
    }
  }

  /** The same timetable with other draws. */
  public Slots drawnFrom(long otherSeed) {
    return new Slots(otherSeed, start, seconds, washout);
  }

  /** Number of the slot, 0 for the first; below 0 before the start. */
  public long slot(double at) {
    return (long) Math.floor((at - start) / seconds);
  }

  /** Who serves in a slot. */
  public Arm arm(long slot) {
    boolean first = Math.floorMod(slot, 2) == 0;
    boolean startsWithA = Owners.draw(seed, Math.floorDiv(slot, 2)) < 0;
    return first == startsWithA ? Arm.A : Arm.B;
  }

  /** Whether what is seen at a time is counted. */
  public boolean measured(double at) {
    return at >= start && at - start - slot(at) * seconds >= washout;
  }
}
