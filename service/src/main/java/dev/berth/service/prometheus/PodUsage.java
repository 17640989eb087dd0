package dev.berth.service.prometheus;

import dev.berth.policy.cluster.PodSample;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.prometheus.RunningPods.Running;
import dev.berth.service.task.DutyCycle;
import dev.berth.service.task.Tasks;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What pods use, where Prometheus has cAdvisor's series. Most clusters have, none needs them: that
 * there are none is said nowhere but in the figure of measured pods, and what goes wrong here is
 * logged once and counted, but no fault of the service.
 *
 * <p>A pod is measured as a node is, from scrape to scrape by {@link CounterWindows}, under its
 * uid: another pod of the same name begins anew. A series says on which node it was taken; what
 * contradicts the node of the pod by that name is of another pod, one that was there before or one
 * of another cluster. Pods that nobody told the service of cost nothing but the reading.
 *
 * <p>Asks on a thread of its own and at most a twentieth of the time, so that an answer that is
 * dear comes seldom and nodes never wait for it. Thread rule: one caller.
 */
final class PodUsage implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodUsage.class);
  private static final String CPU = "pod-cpu-seconds";
  private static final String MEMORY = "pod-memory";

  /** Some 200,000 pods with a counter and a time each. */
  private static final long MOST_BYTES = 128L << 20;

  /** Bytes: the largest machines have less. */
  private static final double MOST_MEMORY = 1L << 47;

  /** Of a pod: cAdvisor's by a job or two. Beyond, somebody invents them. */
  private static final int MOST_SOURCES = 16;

  /** A pod that is read less often than its windows may be long is never measured. */
  static final Duration LONGEST_REST = Duration.ofMinutes(2);

  private final boolean enabled;
  private final String cpu;
  private final String memory;
  private final List<String> places;
  private final PrometheusClient client;
  private final RunningPods running;
  private final Counter failures;
  private final Counter rejected;
  private final FaultLog faults = new FaultLog(log);
  private final CounterWindows<Source> windows = new CounterWindows<>();
  private final DutyCycle duty;
  private final ExecutorService worker;
  private @Nullable Future<List<PodSample>> answer;
  private volatile int measured;

  /**
   * Who tells apart two series of one pod.
   *
   * @param place the labels that say where it was taken, and by which job
   */
  private record Source(String uid, List<String> place) {}

  /** What one source says of a pod, summed up over its containers. */
  private static final class Reading {
    final Running pod;
    final Source source;

    /** Whether it names the pod's node; else it names none that is known. */
    final boolean here;

    double seconds = Double.NaN;

    /** Sum of the times of the scrapes. */
    double times = Double.NaN;

    double memory = Double.NaN;

    Reading(Running pod, Source source, boolean here) {
      this.pod = pod;
      this.source = source;
      this.here = here;
    }

    /** Who names the node is believed first; then as of nodes, the larger value counts. */
    boolean betterThan(Reading other) {
      return here != other.here ? here : !(seconds <= other.seconds);
    }
  }

  /**
   * @param duty says how much of the time may be asked
   */
  PodUsage(
      PrometheusConfig config,
      PrometheusClient client,
      RunningPods running,
      Counter failures,
      Counter rejected,
      DutyCycle duty,
      Tasks tasks) {
    this.enabled = config.asksForPods();
    this.places = Stream.concat(Stream.of("job"), config.nodes().labels().stream()).toList();
    List<String> labels = Stream.concat(Stream.of("namespace", "pod"), places.stream()).toList();
    this.cpu = config.queries().podReading(labels);
    this.memory = config.queries().podMemoryReading(labels);
    this.client = client;
    this.running = running;
    this.failures = failures;
    this.rejected = rejected;
    this.duty = duty;
    this.worker = tasks.pool("prometheus-pods", 1);
  }

  /**
   * Begins to ask, unless an answer is on its way or was dear just now.
   *
   * @param resolver says on which node a series was taken
   * @param nodes what is known of them
   */
  void ask(NodeResolver resolver, Snapshot nodes) {
    if (enabled && answer == null && duty.begin()) {
      answer =
          worker.submit(
              () -> {
                try {
                  return samples(resolver, nodes);
                } finally {
                  duty.end();
                }
              });
    }
  }

  /**
   * The samples that came since, on Prometheus' clock. Waits for them, though not for long: they
   * come with the next call.
   */
  List<PodSample> take(Duration patience) throws InterruptedException {
    Future<List<PodSample>> asked = answer;
    if (asked == null) {
      return List.of();
    }
    try {
      List<PodSample> samples = asked.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      answer = null;
      return samples;
    } catch (TimeoutException e) {
      return List.of();
    } catch (ExecutionException e) {
      answer = null;
      failures.labelValues(CPU).inc();
      faults.failing(what(CPU), String.valueOf(e.getCause()));
      return List.of(); // what nodes use is told all the same
    }
  }

  /** Whether anybody asks. */
  boolean enabled() {
    return enabled;
  }

  /** Running pods whose usage the last answer told. */
  int measured() {
    return measured;
  }

  private List<PodSample> samples(NodeResolver resolver, Snapshot nodes)
      throws InterruptedException {
    Map<String, List<Reading>> readings = new HashMap<>();
    double now = read(CPU, cpu, resolver, nodes, readings);
    Map<String, Reading> byPod = new HashMap<>();
    readings.forEach(
        (uid, each) ->
            byPod.put(uid, each.stream().reduce((a, b) -> b.betterThan(a) ? b : a).get()));
    if (byPod.isEmpty() != (measured == 0)) {
      log.info("Prometheus tells what {} running pods use", byPod.size());
    }
    measured = byPod.size();
    if (byPod.isEmpty()) {
      return List.of();
    }
    if (!memory.isEmpty()) {
      read(MEMORY, memory, resolver, nodes, readings);
    }
    windows.forget(now);
    List<PodSample> samples = new ArrayList<>();
    for (Reading reading : byPod.values()) {
      PodSample sample = sample(reading, now, nodes);
      if (sample != null) {
        samples.add(sample);
      }
    }
    return samples;
  }

  /** Takes in one answer; the time of it, NaN without one. */
  private double read(
      String key,
      String query,
      NodeResolver resolver,
      Snapshot nodes,
      Map<String, List<Reading>> readings)
      throws InterruptedException {
    try {
      QueryResult result =
          client.query(query, MOST_BYTES, s -> take(key, s, resolver, nodes, readings));
      faults.fine(what(key));
      return result.evaluatedAt();
    } catch (QueryException e) {
      failures.labelValues(key).inc();
      faults.failing(what(key), String.valueOf(e.getMessage()));
      if (key.equals(CPU)) {
        readings.clear();
      }
      return Double.NaN;
    }
  }

  private static String what(String key) {
    return "query " + key;
  }

  private void take(
      String key,
      Series series,
      NodeResolver resolver,
      Snapshot nodes,
      Map<String, List<Reading>> readings) {
    Map<String, String> labels = series.labels();
    Running pod =
        running.named(labels.getOrDefault("namespace", ""), labels.getOrDefault("pod", ""));
    if (pod == null) {
      return;
    }
    String node = resolver.resolve(labels);
    boolean here = pod.node().equals(node);
    if (!here && node != null && nodes.nodes().contains(node)) {
      return;
    }
    if (!Double.isFinite(series.value()) || series.value() < 0) {
      rejected.labelValues(key).inc();
      return;
    }
    List<String> place = places.stream().map(label -> labels.getOrDefault(label, "")).toList();
    if (place.stream().anyMatch(label -> label.length() > NodeSeries.MOST_NAME)) {
      return;
    }
    Source source = new Source(pod.uid(), place);
    Reading reading = of(source, readings.getOrDefault(pod.uid(), List.of()));
    if (key.equals(MEMORY)) {
      if (reading != null) {
        reading.memory = series.value();
      }
      return;
    }
    if (reading == null) {
      List<Reading> all = readings.computeIfAbsent(pod.uid(), uid -> new ArrayList<>(1));
      if (all.size() >= MOST_SOURCES && !(here && all.removeIf(r -> !r.here))) {
        return;
      }
      reading = new Reading(pod, source, here);
      all.add(reading);
    }
    if (labels.getOrDefault(Queries.QUANTITY, "").equals("sampled-at")) {
      reading.times = series.value();
    } else {
      reading.seconds = series.value();
    }
  }

  private static @Nullable Reading of(Source source, List<Reading> all) {
    for (Reading reading : all) {
      if (reading.source.equals(source)) {
        return reading;
      }
    }
    return null;
  }

  /** What the pod used since the scrape before; null when that is not known. */
  private @Nullable PodSample sample(Reading reading, double now, Snapshot nodes) {
    long containers = Math.round(reading.times / now);
    if (containers < 1 || Double.isNaN(reading.seconds)) {
      return null;
    }
    double at = reading.times / containers;
    if (at > now + PrometheusPuller.CLOCKS_DIFFER_SECONDS) { // what comes after would be old news
      rejected.labelValues(CPU).inc();
      return null;
    }
    Running pod = reading.pod;
    try {
      CounterWindows.Window window =
          windows.next(
              reading.source,
              at,
              reading.seconds,
              containers,
              nodes.value(pod.node(), Metric.CPU_CAPACITY));
      return window == null
          ? null
          : new PodSample(
              pod.uid(), window.start(), window.end(), window.cores(), memory(reading, nodes));
    } catch (IllegalArgumentException e) {
      rejected.labelValues(CPU).inc();
      log.debug("{}", e.getMessage());
      return null;
    }
  }

  /** NaN where it is more than the node has, or than any has. */
  private double memory(Reading reading, Snapshot nodes) {
    double most = nodes.value(reading.pod.node(), Metric.MEMORY_CAPACITY);
    if (reading.memory > (Double.isNaN(most) ? MOST_MEMORY : most)) {
      rejected.labelValues(MEMORY).inc();
      return Double.NaN;
    }
    return reading.memory;
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
