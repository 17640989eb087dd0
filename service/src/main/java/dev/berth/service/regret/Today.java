package dev.berth.service.regret;

import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.task.Tasks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The report of the last 24 hours, made anew every five seconds while that takes a fiftieth of the
 * time at most, else as much rarer: for the status, metrics and the page.
 */
public final class Today implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final int REST = 50;
  private static final Duration DAY = Duration.ofDays(1);

  private final Reports reports;
  private final ScheduledExecutorService timer;
  private long notBefore = System.nanoTime(); // the timer's alone
  private volatile @Nullable Report latest;

  public Today(Reports reports, Tasks tasks) {
    this.reports = reports;
    timer = tasks.atRate("regret", PERIOD, this::make);
  }

  private void make() {
    long begin = System.nanoTime();
    if (begin - notBefore >= 0) {
      latest = reports.of(DAY);
      long end = System.nanoTime();
      notBefore = end + REST * (end - begin);
    }
  }

  /** Null until the first was made, right after the start. */
  public @Nullable Report latest() {
    return latest;
  }

  public void register(ServiceMetrics registry) {
    gauges(
        registry,
        "berth_choices",
        "Pods placed within 24 hours, by whose scores placed them.",
        f -> (double) f.pods());
    gauges(
        registry,
        "berth_choices_without_opinion",
        "Of these, pods that Berth had no opinion on.",
        f -> (double) f.noOpinion());
    gauges(
        registry,
        "berth_agreement",
        "Share of these that went to a node Berth scored best.",
        f -> mean(f.agreement()));
    gauges(
        registry,
        "berth_regret_forecast",
        "What the nodes that pods got were expected to cost more than Berth's, mean.",
        f -> mean(f.forecast()));
    gauges(
        registry,
        "berth_regret_measured",
        "The same by what was measured five minutes after the bind.",
        f -> mean(f.measured()));
    gauges(
        registry,
        "berth_regret_measured_low",
        "Lower end of its 95 % interval.",
        f -> end(f.measured(), 0));
    gauges(
        registry,
        "berth_regret_measured_high",
        "Upper end of its 95 % interval.",
        f -> end(f.measured(), 1));
  }

  private void gauges(
      ServiceMetrics registry, String name, String help, Function<Figures, @Nullable Double> of) {
    registry.gauges(
        name,
        help,
        "placed_by",
        () -> {
          Report report = latest;
          Map<String, Double> values = new LinkedHashMap<>();
          values.put("others", report == null ? Double.NaN : orNan(of.apply(report.others())));
          values.put("berth", report == null ? Double.NaN : orNan(of.apply(report.berth())));
          return values;
        });
  }

  /** Not known is no reason to be absent: who watches a series wants to find its name. */
  private static double orNan(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private static @Nullable Double mean(@Nullable Mean m) {
    return m == null ? null : m.mean();
  }

  private static @Nullable Double end(@Nullable Mean m, int which) {
    List<Double> ends = m == null ? null : m.interval();
    return ends == null ? null : ends.get(which);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
