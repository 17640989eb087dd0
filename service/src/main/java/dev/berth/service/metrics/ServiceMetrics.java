package dev.berth.service.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Everything on {@code /metrics}. Thread-safe. */
public final class ServiceMetrics {
  private final PrometheusRegistry registry = new PrometheusRegistry();

  /** Time from the parsed request head to the written reply, by result. */
  public final Histogram scoreSeconds =
      seconds("berth_score_duration_seconds", "Time the service spent on one score request");

  /** The same of rankings, which a scheduler asks for in the background. */
  public final Histogram rankSeconds =
      seconds("berth_rank_duration_seconds", "Time the service spent on one ranking of all nodes");

  /** The same, for {@code /v1/status}. */
  public final Latency scoreLatency = new Latency();

  public final Counter candidates =
      counter("berth_score_candidates", "Candidate nodes that were scored.");

  public final Counter unknownPreferences =
      counter(
          "berth_score_unknown_preferences",
          "Candidates that got the mean score because the policy's preference was not finite.");

  public final Counter overdrawnCards =
      counter(
          "berth_overdrawn_cards_total",
          "Cards in requests on which less than nothing was free, taken as full.");

  public final Counter neutral =
      counter("berth_score_neutral", "Answers that were neutral because too little was known.");

  public final Counter events =
      labelled("berth_outcome_events", "Outcome events taken in, by type.", "type");

  public final Counter others =
      labelled(
          "berth_others_preferred",
          "Bound pods of which the scheduler told, by where the other score plugins alone would"
              + " have put them: same or other node.",
          "node");

  /** Answers that say what was wrong; of 401 a stranger's, or a scheduler's with another token. */
  public final Counter problems =
      Counter.builder()
          .name("berth_http_problems")
          .help("Requests answered with a problem, by the key of the port and status.")
          .labelNames("port", "status")
          .register(registry);

  /** Failures of the service's own tasks, which go on all the same. */
  public final Counter taskFailures =
      labelled("berth_task_failures", "Background tasks that failed and went on, by task.", "task");

  private final Map<String, DoubleSupplier> dropped = new ConcurrentHashMap<>();

  public ServiceMetrics() {
    CounterWithCallback.builder()
        .name("berth_dropped")
        .help("Records dropped because a bounded queue was full, by queue.")
        .labelNames("queue")
        .callback(callback -> dropped.forEach((queue, n) -> callback.call(n.getAsDouble(), queue)))
        .register(registry);
  }

  /** Adds what the process itself uses, once for its life: the JVM cannot be told to forget it. */
  public void watchProcess() {
    JvmMetrics.builder().register(registry);
  }

  private Histogram seconds(String name, String help) {
    return Histogram.builder()
        .name(name)
        .help(help + ", reading and writing included.")
        .labelNames("result")
        .classicOnly()
        .classicUpperBounds(0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5)
        .register(registry);
  }

  public Counter counter(String name, String help) {
    return Counter.builder().name(name).help(help).register(registry);
  }

  public Counter labelled(String name, String help, String label) {
    return Counter.builder().name(name).help(help).labelNames(label).register(registry);
  }

  /** A value that is read when it is scraped. */
  public void gauge(String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  /** One value per label, read when they are scraped. */
  public void gauges(
      String name, String help, String label, Supplier<Map<String, ? extends Number>> values) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(
            callback ->
                values.get().forEach((key, value) -> callback.call(value.doubleValue(), key)))
        .register(registry);
  }

  /** Counters that are kept elsewhere, one per label, read when they are scraped. */
  public void counters(
      String name, String help, String label, Supplier<Map<String, ? extends Number>> values) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(
            callback ->
                values.get().forEach((key, value) -> callback.call(value.doubleValue(), key)))
        .register(registry);
  }

  /** A bounded queue's count of what it dropped. */
  public void dropped(String queue, DoubleSupplier count) {
    dropped.put(queue, count);
  }

  /** A counter that is kept elsewhere and read when it is scraped. */
  public void counter(String name, String help, DoubleSupplier value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  public PrometheusRegistry registry() {
    return registry;
  }

  /** The exposition format, version 0.0.4. */
  public byte[] text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.builder().build().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
