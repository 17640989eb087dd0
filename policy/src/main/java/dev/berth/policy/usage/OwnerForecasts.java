package dev.berth.policy.usage;

import java.util.Arrays;

/**
 * The forecasts of the owners, side by side: every candidate asks for those of the owners on it.
 * Each is made when it is asked for first, and stands until the second is over or something was
 * learned of an owner.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class OwnerForecasts {
  private final OwnerModels owners;
  private double second = Double.NaN;
  private double[] horizons = {};
  private int ofOwners;
  private double[] values = {};

  /** The {@link #round} that the owner's values were made in. */
  private int[] madeIn = {};

  private int round;

  public OwnerForecasts(OwnerModels owners) {
    this.owners = owners;
  }

  /**
   * What is asked for from here on is of this time and these horizons.
   *
   * @return a number that is the same as long as all values are
   */
  public int begin(double now, double[] to) {
    if (to.length != horizons.length) {
      madeIn = new int[0];
      values = new double[0];
    }
    double of = Math.floor(now);
    if (of != second || ofOwners != owners.revision() || !Arrays.equals(to, horizons)) {
      second = of;
      ofOwners = owners.revision();
      horizons = to.clone();
      round++;
    }
    return round;
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
    if (number >= madeIn.length) {
      int room = Math.max(number + 1, Math.max(16, 2 * madeIn.length));
      madeIn = Arrays.copyOf(madeIn, room);
      values = Arrays.copyOf(values, room * size);
    }
    int start = number * size;
    if (madeIn[number] != round) {
      madeIn[number] = round;
      double[] forecast = owners.numbered(number).forecast(second, horizons);
      System.arraycopy(forecast, 0, values, start, size);
    }
    return start;
  }
}
