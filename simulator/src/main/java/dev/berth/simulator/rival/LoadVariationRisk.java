package dev.berth.simulator.rival;

import dev.berth.policy.Decision;

/**
 * Trimaran's LoadVariationRiskBalancing with margin 1 and sensitivity 1: for CPU and memory, mu =
 * (mean used + request) / allocatable and sigma its standard deviation, both within 0..1; score =
 * 100 (1 - (mu + sigma) / 2), the smaller of the two. Of a resource without metrics nothing is
 * known and the other one decides. Mean and deviation are Prometheus' over fifteen minutes;
 * metrics-server has no deviation.
 *
 * <p>Follows scheduler-plugins v0.34.7 {@code pkg/trimaran/loadvariationriskbalancing}. It does not
 * count pods that the metrics do not show.
 */
final class LoadVariationRisk extends Trimaran {
  LoadVariationRisk(String name) {
    super(name);
  }

  @Override
  public void score(Decision d, double[] preferences) {
    for (int i = 0; i < preferences.length; i++) {
      LoadWatcher.Usage usage = watcher().of(d.candidates().names()[i]);
      if (usage == null) {
        preferences[i] = 0;
        continue;
      }
      double cpu =
          score(
              usage.cpu().mean(),
              usage.cpu().deviation(),
              d.pod().cpuMilli() / 1000.0,
              d.candidates().cpuMilli()[i] / 1000.0);
      double memory =
          score(
              usage.memory().mean(),
              usage.memory().deviation(),
              d.pod().memoryBytes(),
              d.candidates().memoryBytes()[i]);
      preferences[i] =
          Math.round(
              Double.isNaN(cpu) || Double.isNaN(memory)
                  ? Math.max(zeroIfUnknown(cpu), zeroIfUnknown(memory))
                  : Math.min(cpu, memory));
    }
  }

  /** One resource's score, 0..100; NaN when its use is not known. */
  static double score(double mean, double deviation, double request, double capacity) {
    if (capacity <= 0) {
      return 0;
    }
    double mu = within((within(mean, capacity) + Math.max(0, request)) / capacity, 1);
    double sigma = within(deviation, capacity) / capacity;
    return 100 * (1 - (mu + sigma) / 2);
  }

  private static double within(double x, double most) {
    return Math.max(0, Math.min(most, x));
  }

  private static double zeroIfUnknown(double score) {
    return Double.isNaN(score) ? 0 : score;
  }
}
