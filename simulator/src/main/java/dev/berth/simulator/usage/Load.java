package dev.berth.simulator.usage;

/** CPU or memory over time, as a multiple of what is requested. A pure function of time. */
public interface Load {
  /** The truth at second {@code t}. */
  double at(double t);

  /**
   * What can be known at {@code now} of the load at a later {@code t} by who knows its law and its
   * present, but nothing of what will happen.
   */
  double expected(double now, double t);

  /** Long-run mean. */
  double mean();

  /**
   * Memory of which a share goes with the load, around a mean.
   *
   * @param share 0..1
   */
  static Load following(Load load, double mean, double share) {
    return new Load() {
      @Override
      public double at(double t) {
        return of(load.at(t));
      }

      @Override
      public double expected(double now, double t) {
        return of(load.expected(now, t));
      }

      @Override
      public double mean() {
        return mean;
      }

      private double of(double value) {
        double relative = load.mean() == 0 ? 1 : value / load.mean();
        return mean * (1 - share + share * relative);
      }
    };
  }

  /** The same at all times. */
  static Load constant(double value) {
    return new Load() {
      @Override
      public double at(double t) {
        return value;
      }

      @Override
      public double expected(double now, double t) {
        return value;
      }

      @Override
      public double mean() {
        return value;
      }
    };
  }
}
