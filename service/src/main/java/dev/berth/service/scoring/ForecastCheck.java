package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.predict.Calibration;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.ForecastErrors;
import dev.berth.policy.predict.NowCheck;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.metrics.ServiceMetrics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The forecasts that decisions rest on against what Prometheus shows later, by horizon ({@code
 * now}, against the next sample; {@code 5m}, {@code 15m}, ...), as of the last few hours.
 * Thread-safe by the lock of the state.
 */
public final class ForecastCheck {
  private static final double HALF_LIFE = 2 * 3600;

  private final SharedState shared;
  private final Calibration calibration = new Calibration(PlacementCost.FORECAST_ERROR, HALF_LIFE);
  private final NowCheck nowCheck = new NowCheck(PlacementCost.FORECAST_ERROR, HALF_LIFE);

  ForecastCheck(SharedState shared) {
    this.shared = shared;
  }

  /** Under the lock that the decision was made under: its pod is not yet in the books. */
  void decided(Decision decision, @Nullable Forecast forecast) {
    calibration.decided(decision, forecast);
  }

  /** Under the lock that the sample was taken in under, after it. */
  void sampled(NodeSample sample, double now, ClusterState state) {
    nowCheck.sampled(sample, state.cpuCapacity(sample.node()), now, state);
  }

  void sampled(double now) {
    shared.with(state -> calibration.check(now, state));
  }

  /** Of the forecasts of each node's next sample. */
  public NowCheck.Totals totals() {
    return shared.read(state -> nowCheck.totals());
  }

  private Map<String, ForecastErrors> byName() {
    Map<String, ForecastErrors> all = new LinkedHashMap<>();
    all.put("now", nowCheck.all());
    all.put("now-just-bound", nowCheck.justBound());
    double[] horizons = Calibration.horizons();
    for (int h = 0; h < horizons.length; h++) {
      all.put(Math.round(horizons[h] / 60) + "m", calibration.errors().get(h));
    }
    return all;
  }

  /** Only horizons of which something came true. */
  public Map<String, ForecastErrors.Accuracy> accuracy() {
    Map<String, ForecastErrors.Accuracy> known = new LinkedHashMap<>();
    shared.lock();
    try {
      byName()
          .forEach(
              (name, errors) -> {
                ForecastErrors.Accuracy accuracy = errors.accuracy();
                if (accuracy.outcomes() > 0) {
                  known.put(name, accuracy);
                }
              });
    } finally {
      shared.unlock();
    }
    return known;
  }

  /** Declares the metrics; NaN until the first outcome of a horizon. */
  public void register(ServiceMetrics metrics) {
    gauge(
        metrics,
        "berth_forecast_outcomes",
        "Forecasts of a node's CPU that came true or not, by horizon; those of two hours ago count"
            + " half.",
        0,
        ForecastErrors.Accuracy::outcomes);
    gauge(
        metrics,
        "berth_forecast_bias",
        "Mean of CPU used less CPU forecast, as a fraction of the node.",
        Double.NaN,
        ForecastErrors.Accuracy::bias);
    gauge(
        metrics,
        "berth_forecast_rmse",
        "Root mean square of the same.",
        Double.NaN,
        ForecastErrors.Accuracy::rmse);
    gauge(
        metrics,
        "berth_forecast_inside_80",
        "Share of the outcomes inside the interval that was stated to hold 80 % of them when the"
            + " forecast was made, by the errors known then.",
        Double.NaN,
        ForecastErrors.Accuracy::inside);
    gauge(
        metrics,
        "berth_forecast_calibrated_spread",
        "Standard deviation of a forecast that would have put 80 % of them inside; the policy"
            + " reckons with "
            + PlacementCost.FORECAST_ERROR
            + ".",
        Double.NaN,
        ForecastErrors.Accuracy::calibratedSpread);
  }

  private void gauge(
      ServiceMetrics metrics,
      String name,
      String help,
      double unknown,
      ToDoubleFunction<ForecastErrors.Accuracy> part) {
    metrics.gauges(
        name,
        help,
        "horizon",
        () -> {
          Map<String, Double> values = new LinkedHashMap<>();
          byName().keySet().forEach(horizon -> values.put(horizon, unknown));
          accuracy().forEach((horizon, a) -> values.put(horizon, part.applyAsDouble(a)));
          return values;
        });
  }
}
