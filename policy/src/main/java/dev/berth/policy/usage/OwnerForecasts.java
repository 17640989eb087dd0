package dev.berth.policy.usage;

import java.util.Arrays;

/**
 * The forecasts of the owners for one decision, side by side: every candidate asks for those of the
 * owners on it. Each is made when it is asked for first.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class OwnerForecasts {
  private final OwnerModels owners;
  private double now;
  private double[] horizons = {};
  private double[] values = {};

  /** The decision that the owner's values were made for, by its number. */
  private int[] madeFor = {};

  private int decision;

  public OwnerForecasts(OwnerModels owners) {
    this.owners = owners;
  }

  /** What is asked for from here on is of this time and these horizons. */
  public void begin(double at, double[] to) {
    if (to.length != horizons.length) {
      madeFor = new int[0];
      values = new double[0];
      decision = 0;
    }
    now = at;
    horizons = to;
    decision++;
  }

  /**
   * All that were made; where an owner's begin, {@link #at} says: the ratio expected at each
   * horizon, then the share of its pods that still run at each. Valid until the next call of
   * either.
   */
  public double[] values() {
    return values;
  }

  /**
   * Where the owner's forecast begins.
   *
   * @param number of the owner, {@link OwnerModel#number}
   */
  public int at(int number) {
    int size = 2 * horizons.length;
    if (number >= madeFor.length) {
      int room = Math.max(number + 1, Math.max(16, 2 * madeFor.length));
      madeFor = Arrays.copyOf(madeFor, room);
      values = Arrays.copyOf(values, room * size);
    }
    int start = number * size;
    if (madeFor[number] != decision) {
      madeFor[number] = decision;
      double[] forecast = owners.numbered(number).forecast(now, horizons, owners.hazard());
      System.arraycopy(forecast, 0, values, start, size);
    }
    return start;
  }
}
