package dev.berth.policy.evidence;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Levels for a test that is repeated while evidence grows: look k may err with probability {@code
 * alpha / (k (k + 1))}, so that all looks together err with {@code alpha} at most, whatever they
 * have in common (Bonferroni's inequality; the levels add up to alpha).
 *
 * <p>A look costs level, so there is none before the evidence has grown by a quarter.
 *
 * <p>Thread rule: one thread.
 */
public final class Looks {
  private final double alpha;
  private final int first;
  private int taken;
  private long seen;

  /**
   * @param alpha probability that any look errs
   * @param first decisions before the first look
   */
  public Looks(double alpha, int first) {
    this.alpha = alpha;
    this.first = first;
  }

  /**
   * Whether it is time for another look.
   *
   * @param decisions since the beginning; less than before when it began anew
   * @param judged those of them that a look rests on
   */
  public boolean due(long decisions, long judged) {
    long grown = decisions < seen ? decisions : decisions - seen;
    return judged >= first && grown >= Math.max(1, judged / 4);
  }

  /** Takes a look; returns its level. */
  public double take(long decisions) {
    seen = decisions;
    taken++;
    return alpha / ((double) taken * (taken + 1));
  }

  /** Looks so far. */
  public int taken() {
    return taken;
  }

  /** Another question: all levels are there again. */
  public void restart() {
    taken = 0;
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(taken);
    out.writeLong(seen);
  }

  /** Takes up what {@link #write} wrote. */
  public void resume(DataInput in) throws IOException {
    taken = in.readInt();
    seen = in.readLong();
  }
}
