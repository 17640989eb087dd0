package dev.berth.simulator.usage;

/**
 * What one pod used, step by step and without a gap.
 *
 * @param owner natural key: what its replicas share
 * @param pod unique within the owner; {@link #AGGREGATE} when every pod of the owner does the same
 * @param from second at which the first step begins, a multiple of the step
 * @param stepSeconds length of a step
 * @param cores mean CPU of every step, {@code [steps]}
 * @param bytes memory of every step, {@code [steps]}; empty where the source has none
 */
public record Series(
    String owner, String pod, double from, double stepSeconds, float[] cores, float[] bytes) {
  /** The record of an owner as a whole, per pod: all its pods play it. */
  public static final String AGGREGATE = "*";

  public Series {
    check(!owner.isEmpty(), "a pod without owner: write its application, or its own name");
    check(!pod.isEmpty(), "a series without pod: write its name, or * for all of its owner");
    check(stepSeconds >= 1, "a step of " + stepSeconds + " s: write seconds, such as 300");
    check(
        from % stepSeconds == 0,
        "from %.0f is no multiple of the step of %.0f s: import again, which puts series on one grid"
            .formatted(from, stepSeconds));
    check(
        cores.length >= 2,
        "%d values: a series needs two at least; leave the pod out".formatted(cores.length));
    check(
        bytes.length == 0 || bytes.length == cores.length,
        "cut short: %d values of CPU, %d of memory; copy or import it again"
            .formatted(cores.length, bytes.length));
    usable("CPU", cores);
    usable("memory", bytes);
    check(
        !constant(cores),
        "CPU is %s in all %d steps: nothing was recorded, or the recorder hung; leave the pod out"
            .formatted(cores[0], cores.length));
  }

  /** Second after its last step. */
  public double to() {
    return from + cores.length * stepSeconds;
  }

  public boolean aggregate() {
    return pod.equals(AGGREGATE);
  }

  /** Whether a recorder says the same all the time. */
  public static boolean constant(float[] values) {
    for (float value : values) {
      if (value != values[0]) {
        return false;
      }
    }
    return true;
  }

  private static void usable(String what, float[] values) {
    for (int i = 0; i < values.length; i++) {
      check(
          Float.isFinite(values[i]),
          "%s has no value in step %d: end the row before the gap and begin another behind it"
              .formatted(what, i + 1));
      check(
          values[i] >= 0,
          "%s is %s in step %d: usage is never negative; mend the source or leave the pod out"
              .formatted(what, values[i], i + 1));
    }
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
