package dev.berth.simulator.rival;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Pod;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Trimaran's TargetLoadPacking: packs up to a target CPU utilisation X, then spreads. Usage is the
 * latest that metrics-server knows, plus 1.5 x the request of the pod and of every pod that was
 * bound later than 60 s before the metrics' window ended. A node without metrics scores 0.
 *
 * <pre>U <= X: (100 - X) U / X + X;  X < U <= 100: X (100 - U) / (100 - X);  above: 0</pre>
 *
 * <p>Follows scheduler-plugins v0.34.7 {@code pkg/trimaran/targetloadpacking} and {@code
 * pkg/trimaran/handler.go} with the defaults of {@code TargetLoadPackingArgs}.
 */
final class TargetLoadPacking extends Trimaran {
  private static final double TARGET = 40;
  private static final double REQUEST_MULTIPLIER = 1.5;
  private static final long WITHOUT_REQUEST_MILLI = 1000;
  private static final double REPORTING_SECONDS = 60;

  private final Map<String, Map<String, Bound>> bound = new HashMap<>();

  private record Bound(double at, long milli) {}

  TargetLoadPacking(String name) {
    super(name);
  }

  @Override
  public void score(Decision d, double[] preferences) {
    for (int i = 0; i < preferences.length; i++) {
      String node = d.candidates().names()[i];
      LoadWatcher.Usage usage = watcher().of(node);
      double used = usage == null ? Double.NaN : 1000 * usage.cpu().latest();
      double milli = used + predicted(d.pod()) + missing(node);
      preferences[i] =
          Double.isNaN(milli) ? 0 : Math.round(packed(100 * milli / d.candidates().cpuMilli()[i]));
    }
  }

  static double packed(double percent) {
    if (percent <= TARGET) {
      return (100 - TARGET) * percent / TARGET + TARGET;
    }
    return percent <= 100 ? TARGET * (100 - percent) / (100 - TARGET) : 0;
  }

  private static long predicted(Pod pod) {
    return pod.cpuMilli() == 0
        ? WITHOUT_REQUEST_MILLI
        : Math.round(pod.cpuMilli() * REQUEST_MULTIPLIER);
  }

  /** What the metrics are taken not to show yet. */
  private long missing(String node) {
    Map<String, Bound> pods = bound.get(node);
    if (pods == null || pods.isEmpty()) {
      return 0;
    }
    double shown = watcher().windowEnd() - REPORTING_SECONDS;
    pods.values().removeIf(pod -> pod.at() <= shown); // the window's end never goes back
    long milli = 0;
    for (Bound pod : pods.values()) {
      milli += pod.milli();
    }
    return milli;
  }

  @Override
  public void bound(Pod pod, String node, double at) {
    Map<String, Bound> pods = bound.computeIfAbsent(node, n -> new LinkedHashMap<>());
    pods.put(pod.uid(), new Bound(at, predicted(pod)));
    Iterator<Bound> oldest = pods.values().iterator();
    while (oldest.next().at() <= watcher().windowEnd() - REPORTING_SECONDS) {
      oldest.remove();
    }
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    bound.getOrDefault(node, new HashMap<>()).remove(pod.uid());
  }

  @Override
  public void nodeGone(String node, double at) {
    bound.remove(node);
    super.nodeGone(node, at);
  }
}
