package dev.berth.service.regret;

import dev.berth.policy.evidence.Estimate;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A mean over pods.
 *
 * @param interval both ends of its 95 % interval, pods of one owner and of one hour counted as
 *     depending on each other; null where too few owners or hours say anything
 */
public record Mean(double mean, @Nullable List<Double> interval, long pods) {
  private static final double EACH_END = 0.025;

  static @Nullable Mean of(Estimate e) {
    if (e.decisions() == 0) {
      return null;
    }
    double low = e.lower(EACH_END);
    double high = e.upper(EACH_END);
    boolean bounded = Double.isFinite(low) && Double.isFinite(high);
    return new Mean(e.gain(), bounded ? List.of(low, high) : null, e.decisions());
  }

  /** As another unit shows it. */
  Mean times(double unit) {
    return each(x -> unit * x);
  }

  Mean plus(double more) {
    return each(x -> x + more);
  }

  private Mean each(DoubleUnaryOperator rising) {
    List<Double> ends = interval;
    return new Mean(
        rising.applyAsDouble(mean),
        ends == null ? null : ends.stream().map(rising::applyAsDouble).toList(),
        pods);
  }
}
