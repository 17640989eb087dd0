package dev.berth.simulator.scenario;

import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.Units;
import dev.berth.simulator.usage.Range;
import java.util.List;
import java.util.function.Function;

/** {@code [0.2, 1.2]}, or one value for a constant. */
final class Ranges {
  private Ranges() {}

  static Range numbers(StrictYaml y, String key, Range fallback) {
    return of(y, key, fallback, Units::number, "[min, max] or one number");
  }

  static Range seconds(StrictYaml y, String key, Range fallback) {
    return of(y, key, fallback, Units::seconds, "[min, max] or one duration, such as [5s, 2m]");
  }

  private static Range of(
      StrictYaml y, String key, Range fallback, Function<String, Double> parse, String notation) {
    List<Double> ends = y.list(key, parse);
    if (ends.size() > 2) {
      throw y.error(key, "need " + notation);
    }
    return ends.isEmpty()
        ? fallback
        : y.checked(key, () -> new Range(ends.get(0), ends.get(ends.size() - 1)));
  }
}
