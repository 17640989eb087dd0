package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.PodSample;
import dev.berth.service.config.NodeNames;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.prometheus.FakePrometheus.Fault;
import dev.berth.service.prometheus.RunningPods.Running;
import dev.berth.service.task.DutyCycle;
import dev.berth.service.task.Tasks;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pods use, beside nodes {@code a} and {@code b} of 4 cores each. */
@Timeout(60)
class PodUsageTest {
  private static final Queries QUERIES =
      new Queries("", "", "", "", "", "", "", "", "pod_cpu", "pod_memory");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final List<String> LABELS = List.of("namespace", "pod", "job", "node", "instance");

  private final ServiceMetrics metrics = new ServiceMetrics();
  private final Counter failures = metrics.labelled("failures", "Failures.", "query");
  private final Counter rejected = metrics.labelled("rejected", "Rejected.", "query");
  private final Map<String, Running> running = new HashMap<>();
  private final AtomicLong nanoTime = new AtomicLong(); // stands still: no answer is dear
  private NodeResolver resolver;
  private FakePrometheus prometheus;
  private PodUsage pods;

  @BeforeEach
  void start() throws IOException {
    prometheus = new FakePrometheus();
    running.put("shop/web-0", new Running("uid-0", "a"));
    running.put("shop/web-1", new Running("uid-1", "b"));
    pods = pods("auto");
    series(); // as where there is no cAdvisor
    memory();
  }

  @AfterEach
  void stop() {
    pods.close();
    prometheus.close();
  }

  @Test
  void aPodIsMeasuredFromScrapeToScrapeOnceEach() throws Exception {
    answers(of("web-0", "a", 100, 985), of("web-1", "b", 50, 980));
    assertThat(pull()).isEmpty();
    answers(of("web-0", "a", 115, 995), of("web-1", "b", 50, 980)); // b was not scraped since
    memory(series("web-0", "a", "kubelet", "", "2.5e8"));
    assertThat(pull()).containsExactly(new PodSample("uid-0", 985, 995, 1.5, 2.5e8));
    assertThat(pull()).isEmpty();
    assertThat(pods.measured()).isEqualTo(2);
  }

  @Test
  void whereThereIsNoCadvisorNothingIsSaid() throws Exception {
    assertThat(pull()).isEmpty();
    assertThat(pods.measured()).isZero();
    assertThat(text()).doesNotContain("query=");
  }

  @Test
  void anAnswerThatComesLateIsHandedOnLater() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "a", 115, 995));
    prometheus.fails(QUERIES.podReading(LABELS), Fault.SLOW);
    pods.ask(resolver, nodes());
    assertThat(pods.take(Duration.ZERO)).isEmpty();
    pods.ask(resolver, nodes()); // not twice at a time
    assertThat(pods.take(PATIENCE)).hasSize(1);
    assertThat(prometheus.requests).hasValue(4);
  }

  @Test
  void anAnswerThatWasDearIsNotAskedForAgainForNineteenTimesAsLong() throws Exception {
    answers(of("web-0", "a", 100, 985));
    prometheus.fails(QUERIES.podReading(LABELS), Fault.SLOW);
    pods.ask(resolver, nodes());
    nanoTime.addAndGet(Duration.ofSeconds(3).toNanos());
    pods.take(PATIENCE);
    nanoTime.addAndGet(Duration.ofSeconds(56).toNanos());
    pull();
    assertThat(prometheus.requests).hasValue(2);
    nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
    pull();
    assertThat(prometheus.requests).hasValue(4);
  }

  @Test
  void aFailureIsCountedAndTheNextAnswerIsTakenAgain() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    prometheus.fails(QUERIES.podReading(LABELS), Fault.SERVER_ERROR);
    assertThat(pull()).isEmpty();
    assertThat(pods.measured()).isZero();
    assertThat(metric("failures_total{query=\"pod-cpu-seconds\"}")).isEqualTo(1);
    prometheus.recovers(QUERIES.podReading(LABELS));
    answers(of("web-0", "a", 115, 995));
    assertThat(pull()).hasSize(1);
  }

  @Test
  void whoInventsSourcesOfAPodFillsNoMemoryAndHidesNone() throws Exception {
    for (int at : new int[] {985, 995}) {
      List<String[]> sources = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sources.add(of("web-0", "nowhere-" + i, 1_000 * i + at, at));
      }
      sources.add(of("web-0", "a", 100 + 2 * (at - 985), at));
      answers(sources.toArray(String[][]::new));
      assertThat(pull()).hasSize(at == 985 ? 0 : 1).allMatch(sample -> sample.cpuCores() == 2);
    }
  }

  @Test
  void ofMoreMemoryThanThereIsNothingIsTold() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "a", 115, 995));
    memory(series("web-0", "a", "kubelet", "", "1e300"));
    assertThat(pull()).containsExactly(new PodSample("uid-0", 985, 995, 1.5, Double.NaN));
    assertThat(metric("rejected_total{query=\"pod-memory\"}")).isEqualTo(1);
  }

  @Test
  void ofAPodSoManySourcesAreHeld() throws Exception {
    for (int at : new int[] {985, 995}) {
      List<String[]> sources = new ArrayList<>();
      for (int i = 0; i < 17; i++) { // the last has the largest counter
        sources.add(of("web-0", "nowhere-" + i, 1_000 * i + (i < 16 ? 1 : 2) * (at - 985), at));
      }
      answers(sources.toArray(String[][]::new));
      assertThat(pull()).hasSize(at == 985 ? 0 : 1).allMatch(sample -> sample.cpuCores() == 1);
    }
  }

  @Test
  void withoutItsMemoryAPodIsStillMeasured() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "a", 115, 995));
    prometheus.fails(QUERIES.podMemoryReading(LABELS), Fault.SERVER_ERROR);
    assertThat(pull()).singleElement().satisfies(s -> assertThat(s.memoryBytes()).isNaN());
  }

  @Test
  void switchedOffNobodyAsks() throws Exception {
    pods.close();
    pods = pods("off");
    answers(of("web-0", "a", 100, 985));
    assertThat(pull()).isEmpty();
    assertThat(prometheus.requests).hasValue(0);
  }

  @Test
  void aNewPodOfAnOldNameInheritsNothing() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    running.put("shop/web-0", new Running("uid-2", "a"));
    answers(of("web-0", "a", 115, 995));
    assertThat(pull()).isEmpty();
    answers(of("web-0", "a", 116, 1_000));
    assertThat(pull()).singleElement().extracting(PodSample::uid).isEqualTo("uid-2");
  }

  @Test
  void aContainerThatCameBackIsNotAnIncrease() throws Exception {
    answers(sum("web-0", "a", "kubelet", 100 + 12, 985, 985));
    pull();
    answers(of("web-0", "a", 100, 990)); // one of the two is missing
    assertThat(pull()).isEmpty();
    answers(sum("web-0", "a", "kubelet", 101 + 13, 1_000, 1_000));
    assertThat(pull()).isEmpty();
    prometheus.evaluatedAt = 1_010;
    answers(sum("web-0", "a", "kubelet", 102 + 18, 1_010, 1_006));
    assertThat(pull())
        .singleElement()
        .satisfies(s -> assertThat(s.windowEnd()).isEqualTo(1_008))
        .satisfies(s -> assertThat(s.cpuCores()).isCloseTo(6.0 / 8, within(1e-12)));
  }

  @Test
  void aScrapeThatLiesAheadHidesNoneThatComeAfter() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "a", 101, 1_100));
    assertThat(pull()).isEmpty();
    answers(of("web-0", "a", 115, 995));
    assertThat(pull()).singleElement().satisfies(s -> assertThat(s.cpuCores()).isEqualTo(1.5));
  }

  @Test
  void aSeriesFromAnotherNodeIsOfAnotherPod() throws Exception {
    // The same name in another cluster, or before the pod moved: web-0 runs on a.
    answers(of("web-0", "b", 5_000, 985), of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "b", 5_010, 995), of("web-0", "a", 115, 995));
    pull();
    answers(of("web-0", "b", 5_020, 1_005), of("web-0", "a", 130, 1_005));
    assertThat(pull()).singleElement().satisfies(s -> assertThat(s.cpuCores()).isEqualTo(1.5));
  }

  @Test
  void whereOnlyAnotherNodeHasTheNameNothingIsMeasured() throws Exception {
    answers(of("web-0", "b", 5_000, 985));
    pull();
    answers(of("web-0", "b", 5_010, 995));
    assertThat(pull()).isEmpty();
    assertThat(pods.measured()).isZero();
    answers(of("web-0", "10.0.0.1", 100, 995)); // an address says nothing of the node
    pull();
    assertThat(pods.measured()).isEqualTo(1);
  }

  @Test
  void aPodThatTwoJobsScrapeCountsOnce() throws Exception {
    answers(sum("web-0", "a", "kubelet", 100, 985), sum("web-0", "a", "cadvisor", 99, 984));
    pull();
    answers(sum("web-0", "a", "kubelet", 115, 995), sum("web-0", "a", "cadvisor", 114, 994));
    assertThat(pull()).containsExactly(new PodSample("uid-0", 985, 995, 1.5, Double.NaN));
    assertThat(pods.measured()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "+Inf", "-Inf", "-1", "", "1e", "1e999"})
  void aCounterThatIsNoneIsRefused(String value) throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    series(
        series("web-0", "a", "kubelet", "cpu-seconds", value),
        series("web-0", "a", "kubelet", "sampled-at", "995"));
    assertThat(pull()).isEmpty();
    assertThat(metric("rejected_total{query=\"pod-cpu-seconds\"}")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-995", "0", "1e300", "1"})
  void aTimeThatIsNoneSaysNothing(String time) throws Exception {
    for (int seconds = 100; seconds < 103; seconds++) {
      series(
          series("web-0", "a", "kubelet", "cpu-seconds", "" + seconds),
          series("web-0", "a", "kubelet", "sampled-at", time));
      assertThat(pull()).isEmpty();
    }
  }

  @Test
  void moreThanItsNodeHasIsRefused() throws Exception {
    answers(of("web-0", "a", 100, 985));
    pull();
    answers(of("web-0", "a", 9_100, 995));
    assertThat(pull()).isEmpty();
  }

  @Test
  void aFloodOfPodsThatNobodyKnowsHidesNone() throws Exception {
    List<String[]> flood = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      flood.add(of("x-" + i, "a", i, 985));
    }
    flood.add(10_000, of("web-0", "a", 100, 985));
    answers(flood.toArray(String[][]::new));
    pull();
    assertThat(pods.measured()).isEqualTo(1);
  }

  @Test
  void anAnswerLongerThanAnyClustersIsNotRead() {
    answers(of("web-0", "a", 100, 985));
    PrometheusClient client = new PrometheusClient(config("auto"));
    String query = QUERIES.podReading(LABELS);
    assertThatThrownBy(() -> client.query(query, 200, series -> {}))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("longer than 0 MiB");
  }

  @Test
  void namesThatAreNoNamesHitNobody() throws Exception {
    running.put("shop/web-0", new Running("uid-0", "a"));
    answers(
        of("\\u0000", "a", 1, 985),
        of("../shop/web-0", "a", 1, 985),
        of("{{x}}", "\\ud800", 1, 985));
    assertThat(pull()).isEmpty();
    assertThat(pods.measured()).isZero();
  }

  private static String[] of(String pod, String node, double seconds, double... scrapedAt) {
    return sum(pod, node, "kubelet", seconds, scrapedAt);
  }

  /** A pod's counter, summed up over containers that were scraped then. */
  private static String[] sum(
      String pod, String node, String job, double seconds, double... scrapedAt) {
    double times = Arrays.stream(scrapedAt).sum();
    return new String[] {
      series(pod, node, job, "cpu-seconds", "" + seconds),
      series(pod, node, job, "sampled-at", "" + times)
    };
  }

  private static String series(String pod, String node, String job, String what, String value) {
    return """
    {"metric":{"namespace":"shop","pod":"%s","node":"%s","job":"%s","berth_quantity":"%s"},\
    "value":[@,"%s"]}\
    """
        .formatted(pod, node, job, what, value);
  }

  private void answers(String[]... pods) {
    List<String> all = new ArrayList<>();
    for (String[] pod : pods) {
      all.addAll(List.of(pod));
    }
    prometheus.vector(QUERIES.podReading(LABELS), String.join(",", all));
  }

  private void series(String... series) {
    prometheus.vector(QUERIES.podReading(LABELS), String.join(",", series));
  }

  private void memory(String... series) {
    prometheus.vector(QUERIES.podMemoryReading(LABELS), String.join(",", series));
  }

  private List<PodSample> pull() throws InterruptedException {
    pods.ask(resolver, nodes());
    return pods.take(PATIENCE);
  }

  private static Snapshot nodes() {
    Snapshot.Builder nodes = new Snapshot.Builder();
    nodes.put("a", Metric.CPU_CAPACITY, 4);
    nodes.put("b", Metric.CPU_CAPACITY, 4);
    return nodes.build(1, 1_000, 60, List.of());
  }

  private PrometheusConfig config(String ofPods) {
    NodeNames names =
        new NodeNames(List.of("node", "instance"), true, "", "$1", "", "instance", "nodename");
    resolver = NodeResolver.of(names);
    return new PrometheusConfig(
        prometheus.url(),
        Duration.ofSeconds(5),
        PATIENCE,
        Duration.ofMinutes(1),
        "",
        ofPods,
        names,
        QUERIES);
  }

  private PodUsage pods(String ofPods) {
    PrometheusConfig config = config(ofPods);
    return new PodUsage(
        config,
        new PrometheusClient(config),
        (namespace, name) -> running.get(namespace + "/" + name),
        failures,
        rejected,
        new DutyCycle(nanoTime::get, PodUsage.LONGEST_REST),
        new Tasks(task -> () -> {}));
  }

  private String text() {
    return new String(metrics.text(), StandardCharsets.UTF_8);
  }

  private double metric(String series) {
    return text()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series));
  }
}
