package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workbench.faults.FaultyPrometheus.Mode;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Prometheus is away, late, or says what cannot be: the service decides by its books, and says so.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(FaultCluster.Shared.class)
@Timeout(300)
class PrometheusFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private final FaultCluster cluster;
  private FaultyPrometheus prometheus;

  PrometheusFaultsTest(FaultCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeAll
  void standBetween() throws Exception {
    prometheus = new FaultyPrometheus(cluster.url("prometheus"));
    cluster.serviceSettings().put("BERTH_PROMETHEUS_URL", prometheus.url());
    cluster.serviceSettings().put("BERTH_SCORING_FRESH", "5s");
    cluster.serviceSettings().put("BERTH_SCORING_STALE", "10s");
    cluster.stop("service");
    cluster.start("service");
  }

  @AfterAll
  void stepAside() throws Exception {
    prometheus.close();
    cluster.serviceSettings().clear();
    cluster.stop("service");
    cluster.start("service");
  }

  @Test
  void anAnswerThatBeginsAndNeverEnds() throws Exception {
    play("Prometheus slow: headers, then nothing", Mode.SLOW, () -> warns("no whole answer"));
  }

  @Test
  void anAnswerWithoutSeries() throws Exception {
    play("Prometheus empty", Mode.EMPTY, () -> warns("no series"));
  }

  @Test
  void anAnswerThatIsNoJson() throws Exception {
    play("Prometheus answers garbage", Mode.GARBAGE, () -> warns("not JSON"));
  }

  @Test
  void valuesThatAreNoNumbers() throws Exception {
    play(
        "Prometheus answers NaN",
        Mode.NAN,
        () -> cluster.serviceMetrics().sum("berth_prometheus_rejected_values_total") > 0);
  }

  @Test
  void aLabelThatWasRenamed() throws Exception {
    play("the label that names the node renamed", Mode.RENAMED, () -> warns("names a node"));
  }

  @Test
  void aClockThatRunsAhead() throws Exception {
    play(
        "Prometheus' clock two minutes ahead",
        Mode.SKEWED,
        () -> cluster.serviceMetrics().sum("berth_prometheus_clock_skew_seconds") > 100);
  }

  @Test
  void oneNodeWithoutSamples() throws Exception {
    play(
        "one node silent",
        Mode.SILENT_NODE,
        () -> cluster.serviceMetrics().value("berth_nodes", "state", "stale") >= 1);
  }

  @Test
  void twoClustersInOne() throws Exception {
    play(
        "two clusters in one Prometheus",
        Mode.TWO_CLUSTERS,
        () -> cluster.serviceMetrics().sum("berth_prometheus_duplicate_series_total") > 0);
  }

  @Test
  void nothingIsMeasuredForAMinute() throws Exception {
    new Fault(cluster, "Prometheus answers garbage for more than a minute")
        .breaks(
            () -> {
              prometheus.set(Mode.GARBAGE);
              Thread.sleep(45_000); // the rule is about a minute
            })
        .alerts("BerthUnmeasured")
        .mends(() -> prometheus.set(Mode.FINE))
        .play();
  }

  @Test
  void prometheusIsAway() throws Exception {
    new Fault(cluster, "Prometheus down")
        .breaks(() -> cluster.stop("prometheus"))
        .meanwhile(
            () -> assertThat(cluster.get(cluster.url("service") + "/readyz")).contains("true"))
        .mends(() -> cluster.start("prometheus"))
        .play();
  }

  private void play(String name, Mode mode, Callable<Boolean> seen) throws Exception {
    new Fault(cluster, name)
        .breaks(() -> prometheus.set(mode))
        .meanwhile(() -> FaultCluster.await("the service to notice", PATIENCE, seen))
        .mends(() -> prometheus.set(Mode.FINE))
        .play();
  }

  private boolean warns(String text) throws Exception {
    return cluster.get(cluster.url("service") + "/readyz").contains(text);
  }
}
