package dev.berth.workbench.live;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a soak looks like at one time.
 *
 * @param seconds since the start
 * @param bound pods bound until then
 * @param elsewise of these, pods that the service did not decide
 * @param p50 of the plugin's calls since the sample before, seconds; NaN without one
 * @param p99 the same
 * @param residentMiB memory of each process
 */
record SoakSample(
    double seconds,
    double bound,
    double elsewise,
    double p50,
    double p99,
    Map<String, Double> residentMiB) {

  /**
   * A quantile of what came to a histogram between two looks, as PromQL's {@code
   * histogram_quantile} has it; the largest bound that is finite where it lies beyond.
   *
   * @param before counts by upper bound ({@code le}), cumulative
   */
  static double quantile(Map<String, Double> before, Map<String, Double> after, double q) {
    TreeMap<Double, Double> came = new TreeMap<>();
    after.forEach((le, n) -> came.put(bound(le), n - before.getOrDefault(le, 0.0)));
    double total = came.isEmpty() ? 0 : came.lastEntry().getValue();
    double lower = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : came.entrySet()) {
      double upper = bucket.getKey();
      if (total > 0 && bucket.getValue() >= q * total) {
        return Double.isInfinite(upper)
            ? lower
            : lower + (upper - lower) * (q * total - below) / (bucket.getValue() - below);
      }
      lower = upper;
      below = bucket.getValue();
    }
    return Double.NaN;
  }

  private static double bound(String le) {
    return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
  }

  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%.0f s, %.0f pods bound, %.0f of them not by the service, call p50 %.1f ms, p99"
                    + " %.1f ms, MiB:",
                seconds,
                bound,
                elsewise,
                1000 * p50,
                1000 * p99));
    residentMiB.forEach((name, mib) -> text.append(" " + name + " " + Math.round(mib)));
    return text.toString();
  }
}
