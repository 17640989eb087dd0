package dev.berth.policy.evidence;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The mean gain of decisions that depend on each other: those of one owner, whose pods are alike,
 * and those of one time window, which were measured on the same nodes at the same time. Values may
 * come in two arms; then the gain is the difference of their means.
 *
 * <p>Variance: two-way clustered (Cameron, Gelbach and Miller 2011), {@code V = V_owners +
 * V_windows - V_both}, and never less than either of the first two. With the sums and counts of
 * both arms in a cluster, {@code z = (S1, n1, S0, n0)}, the gain depends on it as {@code u = c z}
 * (the delta method for a ratio of sums), so {@code V = G / (G - 1) sum u^2}. Of past windows only
 * the sum of {@code z z'} is kept: the memory does not grow. Owners share {@value #OWNERS} clusters
 * by their hash, which only makes clusters larger.
 *
 * <p>Thread rule: one thread.
 */
public final class ClusteredGain {
  static final int OWNERS = 64;
  private static final int PARTS = 4;
  private static final long NONE = Long.MIN_VALUE;

  private final double[] totals = new double[PARTS];
  private final double[][] owners = new double[OWNERS][PARTS];
  private final double[][] open = new double[OWNERS][PARTS];
  private final Moments windows;
  private final Moments cells;
  private long window = NONE;

  public ClusteredGain() {
    this(new Moments(), new Moments());
  }

  private ClusteredGain(Moments windows, Moments cells) {
    this.windows = windows;
    this.cells = cells;
  }

  /** Adds a decision's gain over zero. */
  public void add(int owner, long inWindow, double gain) {
    add(true, owner, inWindow, gain);
  }

  /**
   * Adds a decision.
   *
   * @param tried the arm whose mean is the first term of the difference
   * @param owner hash of the owner, see {@link Owners}
   * @param inWindow number of the time window; those of one follow each other
   */
  public void add(boolean tried, int owner, long inWindow, double value) {
    if (inWindow != window) {
      closeWindow();
      window = inWindow;
    }
    int cluster = Math.floorMod(owner, OWNERS);
    for (double[] z : new double[][] {totals, owners[cluster], open[cluster]}) {
      z[tried ? 0 : 2] += value;
      z[tried ? 1 : 3]++;
    }
  }

  private void closeWindow() {
    windows.add(sum(open));
    for (double[] cell : open) {
      cells.add(cell);
      Arrays.fill(cell, 0);
    }
  }

  private static double[] sum(double[][] clusters) {
    double[] sum = new double[PARTS];
    for (double[] z : clusters) {
      for (int i = 0; i < PARTS; i++) {
        sum[i] += z[i];
      }
    }
    return sum;
  }

  /** Decisions of both arms. */
  public long decisions() {
    return Math.round(totals[1] + totals[3]);
  }

  /** Decisions of the tried arm. */
  public long tried() {
    return Math.round(totals[1]);
  }

  public Estimate estimate() {
    if (totals[1] == 0) {
      return Estimate.NONE;
    }
    double first = totals[0] / totals[1];
    double second = totals[3] == 0 ? 0 : totals[2] / totals[3];
    double[] c = {1 / totals[1], -first / totals[1], 0, 0};
    if (totals[3] > 0) {
      c[2] = -1 / totals[3];
      c[3] = second / totals[3];
    }
    Moments byOwner = new Moments();
    Moments byWindow = windows.copy();
    Moments byBoth = cells.copy();
    byWindow.add(sum(open));
    for (int i = 0; i < OWNERS; i++) {
      byOwner.add(owners[i]);
      byBoth.add(open[i]);
    }
    double ofOwners = byOwner.variance(c);
    double ofWindows = byWindow.variance(c);
    double both = ofOwners + ofWindows - byBoth.variance(c);
    return new Estimate(
        first - second,
        Math.sqrt(Math.max(both, Math.max(ofOwners, ofWindows))),
        decisions(),
        Math.min(byOwner.count, byWindow.count) - 1,
        Math.min(byOwner.telling, byWindow.telling));
  }

  /** Writes all of it, a few kilobytes. */
  public void write(DataOutput out) throws IOException {
    out.writeLong(window);
    windows.write(out);
    cells.write(out);
    for (double[][] clusters : new double[][][] {owners, open}) {
      for (double[] z : clusters) {
        for (double x : z) {
          out.writeDouble(x);
        }
      }
    }
  }

  /** Reads what {@link #write} wrote. */
  public static ClusteredGain read(DataInput in) throws IOException {
    long window = in.readLong();
    ClusteredGain read = new ClusteredGain(Moments.read(in), Moments.read(in));
    read.window = window;
    for (double[][] clusters : new double[][][] {read.owners, read.open}) {
      for (double[] z : clusters) {
        for (int i = 0; i < PARTS; i++) {
          z[i] = in.readDouble();
        }
      }
    }
    System.arraycopy(sum(read.owners), 0, read.totals, 0, PARTS);
    return read;
  }

  /** Second moments of clusters' sums, {@code sum z z'}. */
  private static final class Moments {
    private final double[][] zz = new double[PARTS][PARTS];
    private int count;

    /** Clusters in which anything was gained or lost. */
    private int telling;

    void add(double[] z) {
      if (z[1] + z[3] == 0) {
        return;
      }
      count++;
      telling += z[0] != 0 || z[2] != 0 ? 1 : 0;
      for (int i = 0; i < PARTS; i++) {
        for (int j = 0; j < PARTS; j++) {
          zz[i][j] += z[i] * z[j];
        }
      }
    }

    double variance(double[] c) {
      double sum = 0;
      for (int i = 0; i < PARTS; i++) {
        for (int j = 0; j < PARTS; j++) {
          sum += c[i] * zz[i][j] * c[j];
        }
      }
      return count < 2 ? 0 : Math.max(0, sum) * count / (count - 1);
    }

    Moments copy() {
      Moments copy = new Moments();
      copy.count = count;
      copy.telling = telling;
      for (int i = 0; i < PARTS; i++) {
        copy.zz[i] = zz[i].clone();
      }
      return copy;
    }

    void write(DataOutput out) throws IOException {
      out.writeInt(count);
      out.writeInt(telling);
      for (double[] row : zz) {
        for (double x : row) {
          out.writeDouble(x);
        }
      }
    }

    static Moments read(DataInput in) throws IOException {
      Moments read = new Moments();
      read.count = in.readInt();
      read.telling = in.readInt();
      for (double[] row : read.zz) {
        for (int i = 0; i < PARTS; i++) {
          row[i] = in.readDouble();
        }
      }
      return read;
    }
  }
}
