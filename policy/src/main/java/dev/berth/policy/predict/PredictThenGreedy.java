package dev.berth.policy.predict;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Predict, then choose greedily: the candidate where the forecast cost grows least, averaged over
 * horizons; a horizon counts as far as the pod still lives and nothing has corrected it. The base
 * score that Berth serves.
 *
 * <p>Preferences are minus the increase, in units of {@link PlacementCost}: comparable between
 * decisions, and what a learned correction adds to. If nothing is known of any candidate, the
 * request columns stand in; that is what {@code LeastAllocated} would do.
 */
public final class PredictThenGreedy implements Policy {
  /** Now, and 5 to 50 minutes after the placement. */
  public static final double[] HORIZONS = {0, 300, 900, 1800, 3000};

  private static final double[] NOW = {0};

  private final String name;
  private final UsagePredictor predictor;
  private final double[] horizons;
  private final Set<Part> without;

  /**
   * @param ahead whether horizons beyond now count
   * @param without parts of the estimation this variant does without
   */
  public PredictThenGreedy(
      String name, UsagePredictor predictor, boolean ahead, Set<Part> without) {
    this.name = name;
    this.predictor = predictor;
    this.horizons = ahead ? HORIZONS : NOW;
    this.without = Set.copyOf(without);
  }

  /** The same policy with more parts taken away. */
  public PredictThenGreedy without(String newName, Set<Part> parts) {
    Set<Part> all = new HashSet<>(without);
    all.addAll(parts);
    return new PredictThenGreedy(newName, predictor, horizons.length > 1, all);
  }

  /** The variant that measured best, served as the base. */
  public static PredictThenGreedy best() {
    return new PredictThenGreedy("predict-then-greedy", UsagePredictor.STATIC, true, Set.of());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public UsageConfig usageConfig(UsageConfig base) {
    UsageConfig config = base;
    for (Part part : without) {
      config = config.without(part);
    }
    return config;
  }

  /** Whether it forecasts as {@link #best} does, to the same horizons. */
  public boolean isBest() {
    return name.equals(best().name());
  }

  /** The forecast this policy decides by. */
  public Forecast forecast(Decision d) {
    return predictor.forecast(d, horizons);
  }

  @Override
  public void score(Decision d, double[] preferences) {
    score(d, forecast(d), preferences);
  }

  /** Preferences by a forecast already made. */
  public static void score(Decision d, Forecast forecast, double[] preferences) {
    base(d, forecast, preferences);
    MemoryLimit.keep(forecast.memoryRoom(), preferences);
  }

  /**
   * The same, not yet kept to the {@link MemoryLimit}: what a learned correction adds to, and the
   * sum of {@link BaseTerms}.
   */
  public static void base(Decision d, Forecast forecast, double[] preferences) {
    Arrays.setAll(preferences, i -> -forecast.memoryRisk()[i]);
    double[] weight = weights(forecast);
    double[] shares = PlacementCost.shares(forecast.power());
    double ofOwner = PlacementCost.mean(forecast.ownerRequestFraction());
    for (int h = 0; h < forecast.horizons().length; h++) {
      double std =
          PlacementCost.increase(
              forecast.before()[h],
              shares,
              forecast.podCores()[h],
              PlacementCost.FORECAST_ERROR,
              -weight[h],
              preferences);
      PlacementCost.hedge(
          std,
          shares,
          forecast.ownerRequestFraction(),
          ofOwner,
          d.pod().cpuMilli(),
          forecast.ratioVariance()[h],
          -weight[h],
          preferences);
    }
  }

  /**
   * By how much each preference falls when one more such pod has come to that candidate, {@code
   * [candidates]}: what lets many alike pods be placed by one ranking.
   *
   * @param podMilli the pod's request
   */
  public static double[] drops(Forecast forecast, long podMilli) {
    double[] weight = weights(forecast);
    double[] drops = new double[forecast.power().length];
    for (int h = 0; h < weight.length; h++) {
      double[] before = forecast.before()[h];
      double std = PlacementCost.spread(before);
      for (int i = 0; i < drops.length; i++) {
        double d = 1000 * forecast.podCores()[h] / forecast.power()[i];
        double q = (double) podMilli / forecast.power()[i];
        drops[i] +=
            weight[h]
                * PlacementCost.repeated(
                    before[i],
                    d,
                    forecast.ratioVariance()[h] * q * q,
                    drops.length,
                    std,
                    PlacementCost.FORECAST_ERROR);
      }
    }
    return drops;
  }

  /**
   * What a horizon counts, {@code [horizons]}, summing to one: as far as the pod still lives, and
   * as far as nothing corrects the placement. What ends is replaced by pods placed later, wherever
   * they even out best, so the future counts by the share of today's load that is left by then.
   */
  static double[] weights(Forecast forecast) {
    double[] weight = new double[forecast.horizons().length];
    double total = 0;
    for (int h = 0; h < weight.length; h++) {
      weight[h] = forecast.podSurvival()[h] * forecast.loadSurvival()[h];
      total += weight[h];
    }
    for (int h = 0; h < weight.length; h++) {
      weight[h] /= total;
    }
    return weight;
  }
}
