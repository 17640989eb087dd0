package dev.berth.service.prometheus;

import dev.berth.policy.cluster.PodSample;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.operator.Printable;
import dev.berth.service.prometheus.NodeSeries.Told;
import dev.berth.service.task.DutyCycle;
import dev.berth.service.task.Tasks;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls every interval and hands the snapshot on.
 *
 * <p>Queries run side by side, each behind the same retry and circuit breaker. A query that fails
 * leaves its quantity unknown in this snapshot: the last value is never stamped as new. One pull
 * runs at a time.
 */
public final class PrometheusPuller implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PrometheusPuller.class);
  private static final String NO_SERIES =
      "it returned no series: is the metric scraped, or has it another name?";
  private static final String TOO_MANY_NODES =
      "its series name more nodes than a cluster has, some are left out: who gives them names?";
  private static final int PARALLEL = 4;
  private static final int ATTEMPTS = 2;

  /** Nodes' samples wait so long for those of their pods. */
  private static final Duration PODS_PATIENCE = Duration.ofMillis(200);

  /**
   * Clocks that differ by less are the same: an answer's way takes its time, now more, now less.
   */
  private static final double SAME_CLOCK_SECONDS = 1;

  // Of labels that a message names.
  private static final int MOST_LABELS = 20;
  private static final int MOST_LABEL = 60;

  /** Clocks of machines that follow time servers differ by less. */
  static final double CLOCKS_DIFFER_SECONDS = 5;

  private final PrometheusConfig config;
  private final PrometheusClient client;
  private final Consumer<Snapshot> sink;
  private final Clock clock;
  private final FaultLog faults = new FaultLog(log);
  private final Counter failures;
  private final Counter rejected;
  private final Counter unmapped;
  private final Counter duplicates;
  private final Counter warnings;
  private final Tasks tasks;
  private final ExecutorService workers;
  private @Nullable ExecutorService timer;

  /** Longer than all queries take when each of them ends at its own deadline. */
  private final Duration patience;

  private final CircuitBreaker breaker;
  private final Retry retry;
  private final Map<Metric, String> queries = new EnumMap<>(Metric.class);
  private volatile Snapshot latest = Snapshot.EMPTY;
  private volatile boolean pulledOnce;
  private final CounterWindows<String> windows = new CounterWindows<>();
  private volatile double clockSkew;
  private volatile String opened = "";
  private final double startedAt;
  private final PodUsage pods;
  private NodeResolver resolver;

  /** What was asked for, and all but the series. */
  private record Answer<T extends SeriesReader>(T taken, QueryResult rest) {}

  /**
   * @param running whose usage is asked for, where Prometheus has it
   * @param sink called on the puller's thread with every snapshot that measured something
   */
  public PrometheusPuller(
      PrometheusConfig config,
      ServiceMetrics metrics,
      Clock clock,
      RunningPods running,
      Consumer<Snapshot> sink,
      Tasks tasks) {
    this.config = config;
    this.client = new PrometheusClient(config);
    this.sink = sink;
    this.clock = clock;
    this.tasks = tasks;
    this.workers = tasks.pool("prometheus-query", PARALLEL);
    this.startedAt = now();
    this.resolver = NodeResolver.of(config.nodes());
    for (Metric metric : Metric.values()) {
      String query = metric.query(config.queries());
      if (!query.isBlank()) {
        queries.put(metric, query.replace("$window", config.window().toSeconds() + "s"));
      }
    }
    int rounds = (queries.size() + PARALLEL) / PARALLEL;
    this.patience = config.timeout().multipliedBy((long) ATTEMPTS * rounds).plusSeconds(1);
    this.breaker =
        CircuitBreaker.of(
            "prometheus",
            CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .waitDurationInOpenState(config.interval().multipliedBy(2))
                .permittedNumberOfCallsInHalfOpenState(2)
                // A wrong query says nothing about Prometheus' health.
                .recordException(e -> e instanceof QueryException q && q.worthRetrying())
                .build());
    this.retry =
        Retry.of(
            "prometheus",
            RetryConfig.custom()
                .maxAttempts(ATTEMPTS)
                .waitDuration(Duration.ofMillis(100))
                .retryOnException(e -> e instanceof QueryException q && q.worthRetrying())
                .build());
    failures =
        metrics.labelled(
            "berth_prometheus_query_failures", "Queries without a usable answer.", "query");
    rejected =
        metrics.labelled(
            "berth_prometheus_rejected_values",
            "Values that are NaN, infinite or negative and so stay unknown.",
            "query");
    unmapped =
        metrics.labelled("berth_prometheus_unmapped_series", "Series that name no node.", "query");
    duplicates =
        metrics.labelled(
            "berth_prometheus_duplicate_series",
            "Second series of a node in one answer; the larger value counts.",
            "query");
    warnings =
        metrics.labelled(
            "berth_prometheus_partial_results", "Answers with a warning from Prometheus.", "query");
    pods =
        new PodUsage(
            config,
            client,
            running,
            failures,
            rejected,
            new DutyCycle(System::nanoTime, PodUsage.LONGEST_REST),
            tasks);
    metrics.gauge(
        "berth_pods_measured",
        "Running pods whose own usage Prometheus told when it was last asked.",
        pods::measured);
    metrics.gauge(
        "berth_prometheus_breaker_open",
        "1 while the circuit breaker lets no query through.",
        () -> breaker.getState() == CircuitBreaker.State.OPEN ? 1 : 0);
    metrics.gauge(
        "berth_prometheus_snapshot_age_seconds",
        "Time since a pull last measured something, or since the start.",
        () -> now() - Math.max(startedAt, latest.pulledAt()));
    metrics.gauge(
        "berth_prometheus_clock_skew_seconds",
        "Prometheus' clock minus this machine's.",
        () -> clockSkew);
  }

  public PrometheusPuller start() {
    timer = tasks.atRate("prometheus", config.interval(), this::pullQuietly);
    return this;
  }

  public Snapshot latest() {
    return latest;
  }

  /** Whether a first pull has ended, well or not. */
  public boolean pulledOnce() {
    return pulledOnce;
  }

  /** What is failing now, for {@code /readyz}: each cause once, after what it befalls. */
  public Optional<String> healthProblem() {
    Map<String, Set<String>> whom = new TreeMap<>();
    faults.open().forEach((who, what) -> whom.computeIfAbsent(what, w -> new TreeSet<>()).add(who));
    return whom.isEmpty()
        ? Optional.empty()
        : Optional.of(
            whom.entrySet().stream()
                .map(e -> String.join(", ", e.getValue()) + ": " + e.getKey())
                .collect(Collectors.joining("; ")));
  }

  /** Running pods whose own usage Prometheus told when it was last asked. */
  public int measuredPods() {
    return pods.measured();
  }

  /** The same in words; empty where nobody asks. */
  public Optional<String> measuredPodsInWords() {
    if (!pods.enabled()) {
      return Optional.empty();
    }
    int measured = pods.measured();
    return Optional.of(
        measured == 0
            ? "Prometheus tells the usage of no running pod: nodes' samples alone are learned from"
            : "Prometheus tells what " + measured + " running pods use");
  }

  /** Whether Prometheus' clock and this machine's differ; samples are moved by it. */
  public Optional<String> clockProblem() {
    double skew = clockSkew;
    return Math.abs(skew) <= CLOCKS_DIFFER_SECONDS
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Prometheus' clock is %.0f s %s this machine's; samples are moved by it",
                Math.abs(skew),
                skew > 0 ? "ahead of" : "behind"));
  }

  private void pullQuietly() {
    try {
      pull();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      log.debug("a pull met the stop", e);
    }
  }

  /** One pull, for who will not wait for the timer. */
  public void pull() throws InterruptedException {
    double sentAt = now();
    Map<Metric, Future<Answer<NodeSeries>>> pending = new LinkedHashMap<>();
    @Nullable Future<Answer<NodeResolver.Names>> names =
        config.nodes().query().isEmpty()
            ? null
            : workers.submit(guarded(config.nodes().query(), resolver::names));
    if (breaker.getState() != CircuitBreaker.State.OPEN) {
      pods.ask(resolver, latest);
    }
    NodeResolver before = resolver;
    queries.forEach(
        (metric, query) ->
            pending.put(metric, workers.submit(guarded(query, () -> new NodeSeries(before)))));
    if (names != null) {
      Answer<NodeResolver.Names> answer = await("nodes.query", names);
      if (answer != null) {
        resolver = resolver.translating(answer.taken());
      }
    }
    Snapshot.Builder builder = new Snapshot.Builder();
    double evaluatedAt = Double.NaN;
    double lastEvaluatedAt = Double.NaN;
    for (Map.Entry<Metric, Future<Answer<NodeSeries>>> entry : pending.entrySet()) {
      Answer<NodeSeries> answer = await(entry.getKey().key(), entry.getValue());
      if (answer != null) {
        take(entry.getKey(), answer.taken(), builder);
        double at = answer.rest().evaluatedAt();
        evaluatedAt = Double.isNaN(evaluatedAt) ? at : evaluatedAt;
        lastEvaluatedAt = at;
      }
    }
    if (!builder.isEmpty()) {
      publish(builder, sentAt, evaluatedAt, lastEvaluatedAt);
    }
    pulledOnce = true;
  }

  private void publish(
      Snapshot.Builder builder, double sentAt, double evaluatedAt, double lastEvaluatedAt)
      throws InterruptedException {
    double skew = skew(evaluatedAt, sentAt, now());
    if (Math.abs(skew - clockSkew) > SAME_CLOCK_SECONDS) { // not where it is NaN
      clockSkew = Math.abs(skew) > SAME_CLOCK_SECONDS ? skew : 0;
    }
    windows.forget(evaluatedAt);
    for (String node : List.copyOf(builder.nodes())) {
      double sampledAt = past(builder.get(node, Metric.SAMPLED_AT), lastEvaluatedAt);
      if (!queries.containsKey(Metric.SAMPLED_AT)) {
        sampledAt = evaluatedAt;
      }
      builder.put(node, Metric.SAMPLED_AT, sampledAt - clockSkew);
      measureCpu(node, builder, lastEvaluatedAt);
    }
    List<PodSample> ofPods = pods.take(PODS_PATIENCE).stream().map(this::onThisClock).toList();
    latest =
        builder.build(latest.number() + 1, sentAt, config.window().toMillis() / 1000.0, ofPods);
    sink.accept(latest);
  }

  /**
   * Seconds by which Prometheus' clock is ahead: what was known, unless the time that the question
   * and its answer took together cannot explain it.
   */
  private double skew(double evaluatedAt, double sentAt, double receivedAt) {
    double least = evaluatedAt - receivedAt;
    double most = evaluatedAt - sentAt;
    return Math.max(least, Math.min(most, clockSkew));
  }

  /**
   * A time of a scrape, NaN where it lies ahead: taken for true it would make all that come after
   * old news, until it has passed.
   */
  private double past(double at, double evaluatedAt) {
    if (at > evaluatedAt + CLOCKS_DIFFER_SECONDS) {
      rejected.labelValues(Metric.SAMPLED_AT.key()).inc();
      return Double.NaN;
    }
    return at;
  }

  private PodSample onThisClock(PodSample s) {
    return new PodSample(
        s.uid(),
        s.windowStart() - clockSkew,
        s.windowEnd() - clockSkew,
        s.cpuCores(),
        s.memoryBytes());
  }

  /** What the node's counter grew by since the scrape before. */
  private void measureCpu(String node, Snapshot.Builder builder, double evaluatedAt) {
    double seconds = builder.get(node, Metric.CPU_SECONDS);
    double countedAt = past(builder.countedAt(node), evaluatedAt);
    if (Double.isNaN(seconds) || Double.isNaN(countedAt)) {
      return;
    }
    try {
      CounterWindows.Window window =
          windows.next(node, countedAt, seconds, 1, builder.get(node, Metric.CPU_CAPACITY));
      if (window != null) {
        builder.window(node, window.start() - clockSkew, window.end() - clockSkew, window.cores());
      }
    } catch (IllegalArgumentException e) {
      rejected.labelValues(Metric.CPU_SECONDS.key()).inc();
      log.debug("{}", e.getMessage());
    }
  }

  private <T extends SeriesReader> Callable<Answer<T>> guarded(String query, Supplier<T> reader) {
    return Retry.decorateCallable(
        retry, CircuitBreaker.decorateCallable(breaker, () -> remembering(query, reader.get())));
  }

  /** While the breaker is open nobody asks any more, so the cause must be remembered. */
  private <T extends SeriesReader> Answer<T> remembering(String query, T reader)
      throws QueryException, InterruptedException {
    try {
      return new Answer<>(reader, client.query(query, PrometheusClient.MOST_BYTES, reader));
    } catch (QueryException e) {
      if (e.worthRetrying()) {
        opened = String.valueOf(e.getMessage());
      }
      throw e;
    }
  }

  /** Null when the query failed, which is then counted and logged. */
  private <T extends SeriesReader> @Nullable Answer<T> await(String key, Future<Answer<T>> future)
      throws InterruptedException {
    try {
      Answer<T> answer = future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (!answer.rest().warnings().isEmpty()) {
        warnings.labelValues(key).inc();
        faults.failing(what(key) + " in full", String.join("; ", answer.rest().warnings()));
      } else if (answer.taken().leftOut() > 0) {
        faults.failing(what(key) + " in full", TOO_MANY_NODES);
      } else {
        faults.fine(what(key) + " in full");
      }
      if (answer.taken().size() == 0) {
        fail(key, NO_SERIES);
        return null;
      }
      return answer;
    } catch (TimeoutException e) {
      future.cancel(true);
      fail(key, "it is not answered after " + patience.toSeconds() + " s");
      return null;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof CallNotPermittedException) {
        fail(key, "the circuit breaker is open after repeated failures, the last: " + opened);
      } else if (cause instanceof InterruptedException stopped) {
        throw stopped;
      } else if (cause instanceof QueryException q) {
        fail(key, String.valueOf(q.getMessage()));
      } else {
        throw new IllegalStateException("query " + key, cause);
      }
      return null;
    }
  }

  private void take(Metric metric, NodeSeries answer, Snapshot.Builder builder) {
    if (metric != Metric.CPU_SECONDS) {
      take(metric, answer, answer.told(), metric.ordinal(), builder);
      return;
    }
    List<Told> counters = answer.told(Metric.CPU_SECONDS.key());
    if (counters.isEmpty()) {
      fail(metric.key(), NO_SERIES);
    } else {
      take(metric, answer, counters, metric.ordinal(), builder);
      List<Told> times = answer.told(Metric.SAMPLED_AT.key());
      take(Metric.SAMPLED_AT, answer, times, Snapshot.COUNTED_AT, builder);
    }
  }

  private void take(
      Metric metric,
      NodeSeries answer,
      Collection<Told> names,
      int column,
      Snapshot.Builder builder) {
    boolean taken = false;
    for (Told told : names) {
      String node = told.name.isEmpty() ? null : resolver.resolve(told.name);
      if (node == null) {
        unmapped.labelValues(metric.key()).inc(told.series);
        continue;
      }
      taken = true;
      if (told.rejected > 0) {
        rejected.labelValues(metric.key()).inc(told.rejected);
      }
      int others = told.series - told.rejected;
      if (others > 0 && builder.putLarger(node, column, told.largest)) {
        others--;
      }
      if (others > 0) {
        duplicates.labelValues(metric.key()).inc(others);
      }
    }
    if (!taken) {
      Series first = answer.first();
      fail(
          metric.key(),
          "none of its "
              + answer.size()
              + " series names a node"
              + (first == null ? "" : ", the first has the labels " + labels(first))
              + ": see prometheus.nodes");
    } else {
      faults.fine(what(metric.key()));
    }
  }

  /** Their names alone, for anybody may read this: a pod's name is nobody's business. */
  private static String labels(Series series) {
    return series.labels().keySet().stream()
        .sorted()
        .limit(MOST_LABELS)
        .map(name -> Printable.text(name, MOST_LABEL))
        .collect(Collectors.joining(", "));
  }

  private void fail(String key, String why) {
    failures.labelValues(key).inc();
    faults.failing(what(key), why);
  }

  private static String what(String key) {
    return "query " + key;
  }

  private double now() {
    Instant now = clock.instant();
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
    workers.shutdownNow();
    pods.close();
  }
}
