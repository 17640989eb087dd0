package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.config.NodeNames;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.prometheus.FakePrometheus.Fault;
import dev.berth.service.prometheus.RunningPods.Running;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class PrometheusPullerTest {
  private static final Clock NOON = Clock.fixed(Instant.ofEpochSecond(1_000), ZoneOffset.UTC);
  private static final NodeNames BY_INSTANCE =
      new NodeNames(List.of("node", "instance"), true, "", "$1", "", "instance", "nodename");

  private static final Queries RATES =
      new Queries("", "cpu", "memory", "", "", "sampled", "", "", "", "");
  private static final Queries COUNTERS =
      new Queries("seconds", "", "", "", "", "sampled", "cores", "", "", "");

  private static final Queries WITH_PODS =
      new Queries("", "cpu", "memory", "", "", "sampled", "", "", "pod_cpu", "");
  private static final List<String> POD_LABELS =
      List.of("namespace", "pod", "job", "node", "instance");
  private static final RunningPods POD =
      (namespace, name) -> name.equals("web-0") ? new Running("uid-0", "a") : null;

  private final ServiceMetrics metrics = new ServiceMetrics();
  private final List<Snapshot> snapshots = new ArrayList<>();
  private FakePrometheus prometheus;

  @BeforeEach
  void start() throws IOException {
    prometheus =
        new FakePrometheus()
            .answers("cpu", "a:9100", "3.5", "b:9100", "7")
            .answers("memory", "a:9100", "1e9", "b:9100", "2e9")
            .answers("sampled", "a:9100", "995", "b:9100", "990");
  }

  @AfterEach
  void stop() {
    prometheus.close();
  }

  @Test
  void oneQueryPerQuantityMeasuresEveryNode() throws Exception {
    Snapshot snapshot = pull(puller(BY_INSTANCE));
    assertThat(prometheus.requests).hasValue(3);
    assertThat(snapshot.nodes()).containsExactlyInAnyOrder("a", "b");
    assertThat(snapshot.value("a", Metric.CPU)).isEqualTo(3.5);
    assertThat(snapshot.value("b", Metric.MEMORY)).isEqualTo(2e9);
    assertThat(snapshot.value("a", Metric.SAMPLED_AT)).isEqualTo(995);
    assertThat(snapshot.windowStart("a")).isEqualTo(940);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @Timeout(20)
  void one_bad_query_keeps_the_rest(Fault fault) throws Exception {
    prometheus.fails("cpu", fault);
    Snapshot snapshot = pull(puller(BY_INSTANCE));
    assertThat(snapshot.value("a", Metric.CPU)).isNaN();
    assertThat(snapshot.value("a", Metric.MEMORY)).isEqualTo(1e9);
    assertThat(metric("berth_prometheus_query_failures_total{query=\"cpu\"}")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"HUNG", "HUNG_BODY"})
  @Timeout(20)
  void anAnswerThatNeverEndsIsAWarningAndTheAgeOfWhatIsKnownGrows(Fault fault) throws Exception {
    for (String query : List.of("cpu", "memory", "sampled")) {
      prometheus.fails(query, fault);
    }
    PrometheusPuller puller = puller(BY_INSTANCE);
    puller.pull();
    assertThat(puller.healthProblem().orElseThrow()).contains("query cpu", "no whole answer");
    assertThat(metric("berth_prometheus_snapshot_age_seconds"))
        .isZero(); // not NaN: an alert sees it
  }

  @Test
  void query_error_is_not_idle() throws Exception {
    PrometheusPuller puller = puller(BY_INSTANCE);
    pull(puller);
    prometheus.fails("cpu", Fault.SERVER_ERROR);
    Snapshot failed = pull(puller);
    // Neither zero nor the old value with a new time: unknown.
    assertThat(failed.value("a", Metric.CPU)).isNaN();
    assertThat(puller.healthProblem().orElseThrow()).contains("query cpu", "out of memory");
    prometheus.recovers("cpu");
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(3.5);
    assertThat(puller.healthProblem()).isEmpty();
  }

  @Test
  void nan_rejected() throws Exception {
    prometheus.answers("cpu", "a:9100", "NaN", "b:9100", "+Inf", "c:9100", "-1", "d:9100", "2");
    Snapshot snapshot = pull(puller(BY_INSTANCE));
    assertThat(snapshot.value("a", Metric.CPU)).isNaN();
    assertThat(snapshot.value("b", Metric.CPU)).isNaN();
    assertThat(snapshot.value("c", Metric.CPU)).isNaN();
    assertThat(snapshot.value("d", Metric.CPU)).isEqualTo(2);
    assertThat(metric("berth_prometheus_rejected_values_total{query=\"cpu\"}")).isEqualTo(3);
  }

  @Test
  void aNodeThatOneQueryMissesIsUnknownThereOnly() throws Exception {
    prometheus.answers("cpu", "a:9100", "3.5");
    Snapshot snapshot = pull(puller(BY_INSTANCE));
    assertThat(snapshot.value("b", Metric.CPU)).isNaN();
    assertThat(snapshot.value("b", Metric.MEMORY)).isEqualTo(2e9);
  }

  @Test
  void aRenamedLabelIsReportedWithTheLabelsThatAreThere() throws Exception {
    prometheus.answersWithLabel("cpu", "kubernetes_node", "a", "1");
    PrometheusPuller puller = puller(BY_INSTANCE);
    Snapshot snapshot = pull(puller);
    assertThat(snapshot.value("a", Metric.CPU)).isNaN();
    assertThat(puller.healthProblem().orElseThrow())
        .contains("kubernetes_node", "prometheus.nodes")
        .doesNotContain("=a"); // anybody may read it, and series of pods have their names
    assertThat(metric("berth_prometheus_unmapped_series_total{query=\"cpu\"}")).isEqualTo(1);
  }

  @Test
  void howeverLongPrometheusComplainsAFewWordsAreKept() throws Exception {
    prometheus.warning = "\\u001b[2J" + "all is lost, ".repeat(100_000);
    PrometheusPuller puller = puller(BY_INSTANCE);
    pull(puller);
    assertThat(puller.healthProblem().orElseThrow())
        .contains("all is lost")
        .doesNotContain("\u001b")
        .hasSizeLessThan(2_000);
  }

  @Test
  void aPartialResultIsUsedCountedAndReported() throws Exception {
    prometheus.warning = "store node-7 did not answer";
    PrometheusPuller puller = puller(BY_INSTANCE);
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(3.5);
    assertThat(puller.healthProblem().orElseThrow()).contains("store node-7 did not answer");
    assertThat(metric("berth_prometheus_partial_results_total{query=\"cpu\"}")).isEqualTo(1);
  }

  @Test
  void aClockThatRunsAheadDoesNotMakeSamplesYounger() throws Exception {
    prometheus.evaluatedAt = 1_300;
    prometheus.answers("sampled", "a:9100", "1295", "b:9100", "1290");
    Snapshot snapshot = pull(puller(BY_INSTANCE));
    assertThat(snapshot.value("a", Metric.SAMPLED_AT)).isEqualTo(995);
    assertThat(metric("berth_prometheus_clock_skew_seconds")).isEqualTo(300);
  }

  @Test
  void withoutTheTimeOfTheScrapeNoAgeIsInvented() throws Exception {
    prometheus.fails("sampled", Fault.GARBAGE);
    assertThat(pull(puller(BY_INSTANCE)).value("a", Metric.SAMPLED_AT)).isNaN();
  }

  @Test
  void theLargerOfTwoSeriesOfANodeCounts() throws Exception {
    prometheus.answers("cpu", "a:9100", "3.5", "a:9101", "4.5");
    assertThat(pull(puller(BY_INSTANCE)).value("a", Metric.CPU)).isEqualTo(4.5);
    assertThat(metric("berth_prometheus_duplicate_series_total{query=\"cpu\"}")).isEqualTo(1);
  }

  @Test
  void whoInventsNamesOfNodesFillsNoMemoryAndIsNamed() throws Exception {
    int invented = 2 * ClusterState.NODES_ADMITTED;
    String series = "{\"metric\":{\"instance\":\"%s:9100\"},\"value\":[@,\"3.5\"]}";
    prometheus.vector(
        "cpu",
        Stream.concat(Stream.of("a"), IntStream.range(0, invented).mapToObj(i -> "x" + i))
            .map(series::formatted)
            .collect(Collectors.joining(",")));
    PrometheusPuller puller = puller(BY_INSTANCE, RATES, Duration.ofSeconds(20));
    Snapshot snapshot = pull(puller);
    assertThat(snapshot.value("a", Metric.CPU)).isEqualTo(3.5);
    assertThat(snapshot.nodes()).hasSizeLessThanOrEqualTo(invented + 1); // b is in other answers
    assertThat(puller.healthProblem().orElseThrow())
        .contains("query cpu in full", "more nodes than a cluster has");
  }

  @Test
  void howeverManySeriesOfOneNodeThereAreOneIsHeld() {
    NodeSeries answer = new NodeSeries(NodeResolver.of(BY_INSTANCE));
    for (int i = 0; i < 300_000; i++) {
      answer.accept(new Series(Map.of("instance", "a:9100", "invented", "x" + i), i % 7));
    }
    assertThat(answer.told())
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.largest).isEqualTo(6);
              assertThat(told.series).isEqualTo(300_000);
            });
    assertThat(answer.leftOut()).isZero();
  }

  @Test
  void aNameLongerThanAnyNodesNamesNone() {
    NodeSeries answer = new NodeSeries(NodeResolver.of(BY_INSTANCE));
    answer.accept(new Series(Map.of("instance", "a".repeat(100_000)), 1));
    assertThat(answer.told()).singleElement().satisfies(told -> assertThat(told.name).isEmpty());
  }

  @Test
  void aRegularExpressionCutsTheNodeOutOfTheInstance() throws Exception {
    prometheus.answers("cpu", "a.example.org:9100", "3.5", "other:9100", "1");
    NodeNames names =
        new NodeNames(
            List.of("instance"), true, "(.*)\\.example\\.org", "$1", "", "instance", "nodename");
    Snapshot snapshot = pull(puller(names));
    assertThat(snapshot.nodes()).containsExactly("a");
    assertThat(snapshot.value("a", Metric.CPU)).isEqualTo(3.5);
  }

  @Test
  void aQueryTranslatesAddressesToNodes() throws Exception {
    prometheus.answers("cpu", "10.0.0.1:9100", "3.5", "10.0.0.9:9100", "1");
    prometheus.vector(
        "names",
        "{\"metric\":{\"instance\":\"10.0.0.1:9100\",\"nodename\":\"a\"},\"value\":[@,\"1\"]}");
    NodeNames names =
        new NodeNames(List.of("instance"), true, "", "$1", "names", "instance", "nodename");
    Snapshot snapshot = pull(puller(names));
    assertThat(snapshot.nodes()).containsExactly("a");
  }

  @Test
  void afterRepeatedFailuresPrometheusIsLeftAlone() throws Exception {
    for (String query : List.of("cpu", "memory", "sampled")) {
      prometheus.fails(query, Fault.SERVER_ERROR);
    }
    PrometheusPuller puller = puller(BY_INSTANCE);
    for (int i = 0; i < 4; i++) {
      puller.pull();
    }
    int asked = prometheus.requests.get();
    puller.pull();
    assertThat(prometheus.requests).hasValue(asked);
    assertThat(metric("berth_prometheus_breaker_open")).isEqualTo(1);
    assertThat(snapshots).isEmpty();
    assertThat(puller.pulledOnce()).isTrue();
  }

  @Test
  void aCounterIsMeasuredFromScrapeToScrapeOnceEach() throws Exception {
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("100", "985");
    Snapshot first = pull(puller);
    assertThat(first.value("a", Metric.CPU)).isNaN();
    assertThat(first.value("a", Metric.SAMPLED_AT)).isEqualTo(985);
    counted("130", "995");
    Snapshot second = pull(puller);
    assertThat(second.value("a", Metric.CPU)).isEqualTo(3);
    assertThat(second.windowStart("a")).isEqualTo(985);
    assertThat(second.value("a", Metric.SAMPLED_AT)).isEqualTo(995);
    assertThat(pull(puller).value("a", Metric.CPU)).isNaN(); // no scrape since: no news
    assertThat(puller.healthProblem()).isEmpty();
  }

  @Test
  void aCounterThatBeganAgainSaysNothingUntilTheNextScrape() throws Exception {
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("1000", "980");
    pull(puller);
    counted("5", "990");
    assertThat(pull(puller).value("a", Metric.CPU)).isNaN();
    counted("25", "1000");
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(2);
  }

  @Test
  void moreThanTheNodeHasIsRefused() throws Exception {
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("100", "980");
    pull(puller);
    counted("9100", "990"); // a CPU came back with all it had counted before
    assertThat(pull(puller).value("a", Metric.CPU)).isNaN();
    assertThat(metric("berth_prometheus_rejected_values_total{query=\"cpu-seconds\"}"))
        .isEqualTo(1);
    counted("9130", "1000");
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(3);
  }

  @Test
  void aScrapeThatLiesAheadIsRefusedAndHidesNoneThatComeAfter() throws Exception {
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("100", "980");
    pull(puller);
    counted("110", "87400"); // tomorrow
    Snapshot wrong = pull(puller);
    assertThat(wrong.value("a", Metric.SAMPLED_AT)).isNaN();
    assertThat(wrong.value("a", Metric.CPU)).isNaN();
    assertThat(metric("berth_prometheus_rejected_values_total{query=\"sampled-at\"}")).isPositive();
    counted("140", "1000");
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(2);
  }

  @Test
  void aWindowLiesOnThisMachinesClock() throws Exception {
    prometheus.evaluatedAt = 1_300;
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("100", "1280");
    pull(puller);
    counted("130", "1290");
    Snapshot snapshot = pull(puller);
    assertThat(snapshot.windowStart("a")).isEqualTo(980);
    assertThat(snapshot.value("a", Metric.SAMPLED_AT)).isEqualTo(990);
    prometheus.evaluatedAt = 1_300.2; // the answer took longer: no other clock
    counted("160", "1300");
    assertThat(pull(puller).windowStart("a")).isEqualTo(990);
  }

  /** Prometheus has moved to a machine whose clock is right. */
  @Test
  void aNodeIsMeasuredOnWhenPrometheusClockIsPutBack() throws Exception {
    prometheus.evaluatedAt = 4_600;
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    counted("100", "4590");
    pull(puller);
    prometheus.evaluatedAt = 1_000;
    counted("400", "980");
    pull(puller);
    counted("430", "990");
    Snapshot snapshot = pull(puller);
    assertThat(snapshot.value("a", Metric.CPU)).isEqualTo(3);
    assertThat(snapshot.windowStart("a")).isEqualTo(980);
  }

  @Test
  void countersWithoutTheirTimeAreAFaultWithAName() throws Exception {
    prometheus.vector(
        COUNTERS.cpuReading(),
        "{\"metric\":{\"instance\":\"a:9100\",\"berth_quantity\":\"sampled-at\"},\"value\":[@,\"9\"]}");
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    pull(puller);
    assertThat(puller.healthProblem().orElseThrow()).contains("query cpu-seconds", "no series");
  }

  @Test
  void aCauseThatBefallsManyQueriesIsToldOnce() throws Exception {
    prometheus.vector(COUNTERS.cpuReading(), ""); // it has measured nothing yet
    prometheus.vector("cores", "");
    PrometheusPuller puller = puller(BY_INSTANCE, COUNTERS);
    pull(puller);
    assertThat(puller.healthProblem().orElseThrow())
        .contains("query cpu-capacity, query cpu-seconds: ")
        .containsOnlyOnce("no series");
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void usageOfPodsThatCannotBeAskedForHoldsNobodyUpAndIsNoFaultOfTheService(Fault fault)
      throws Exception {
    prometheus.fails(WITH_PODS.podReading(POD_LABELS), fault);
    PrometheusPuller puller = puller(BY_INSTANCE, WITH_PODS, Duration.ofSeconds(30));
    long begin = System.nanoTime();
    assertThat(pull(puller).value("a", Metric.CPU)).isEqualTo(3.5);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
    assertThat(puller.healthProblem()).isEmpty();
    puller.close();
  }

  @Test
  void aSampleOfAPodLiesOnThisMachinesClock() throws Exception {
    prometheus.evaluatedAt = 1_300;
    PrometheusPuller puller = puller(BY_INSTANCE, WITH_PODS, Duration.ofSeconds(30));
    podCounted("100", "1280");
    awaitPods(puller);
    podCounted("130", "1290");
    assertThat(awaitPods(puller)).containsExactly(new PodSample("uid-0", 980, 990, 3, Double.NaN));
    assertThat(puller.measuredPods()).isEqualTo(1);
    assertThat(metric("berth_pods_measured")).isEqualTo(1);
    assertThat(puller.measuredPodsInWords().orElseThrow()).contains("1 running pods");
    puller.close();
  }

  private void podCounted(String seconds, String at) {
    String series =
        "{\"metric\":{\"namespace\":\"shop\",\"pod\":\"web-0\",\"berth_quantity\":\"%s\"},\"value\":[@,\"%s\"]}";
    prometheus.vector(
        WITH_PODS.podReading(POD_LABELS),
        series.formatted("cpu-seconds", seconds) + "," + series.formatted("sampled-at", at));
  }

  /** Pulls until the pods have been asked for once more: how soon depends on how dear it was. */
  private List<PodSample> awaitPods(PrometheusPuller puller) throws InterruptedException {
    List<PodSample> all = new ArrayList<>();
    int asked = prometheus.askedFor(WITH_PODS.podReading(POD_LABELS));
    while (prometheus.askedFor(WITH_PODS.podReading(POD_LABELS)) == asked) {
      all.addAll(pull(puller).pods());
    }
    while (puller.measuredPods() == 0) {
      all.addAll(pull(puller).pods());
    }
    return all;
  }

  /** What node a has counted, and when it was scraped. */
  private void counted(String seconds, String at) {
    String series =
        "{\"metric\":{\"instance\":\"a:9100\",\"berth_quantity\":\"%s\"},\"value\":[@,\"%s\"]}";
    prometheus.vector(
        COUNTERS.cpuReading(),
        series.formatted("cpu-seconds", seconds) + "," + series.formatted("sampled-at", at));
    prometheus.answers("sampled", "a:9100", at);
    prometheus.answers("cores", "a:9100", "4");
  }

  private Snapshot pull(PrometheusPuller puller) throws InterruptedException {
    puller.pull();
    return snapshots.get(snapshots.size() - 1);
  }

  private PrometheusPuller puller(NodeNames names) {
    return puller(names, RATES);
  }

  private PrometheusPuller puller(NodeNames names, Queries queries) {
    return puller(names, queries, Duration.ofSeconds(1));
  }

  private PrometheusPuller puller(NodeNames names, Queries queries, Duration timeout) {
    PrometheusConfig config =
        new PrometheusConfig(
            prometheus.url(),
            Duration.ofSeconds(5),
            timeout,
            Duration.ofMinutes(1),
            "",
            "auto",
            names,
            queries);
    return new PrometheusPuller(
        config, metrics, NOON, POD, snapshots::add, new Tasks(task -> () -> {}));
  }

  private double metric(String series) {
    return new String(metrics.text(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series));
  }
}
