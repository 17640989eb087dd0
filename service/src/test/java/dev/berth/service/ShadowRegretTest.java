package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regret is measured five minutes after a bind: too long for a run on a real control plane, so here
 * the whole service runs by a clock that is a hundred times as fast.
 */
@Timeout(60)
class ShadowRegretTest {
  private static final int PODS = 5;

  @Test
  void inShadowThePodsNodesAreHeldAgainstBerthsByWhatPrometheusMeasuredFiveMinutesLater(
      @TempDir Path folder) throws Exception {
    FastClock clock = new FastClock(100);
    Map<String, String> settings =
        Map.of("BERTH_SCORING_POLICY", "predict-then-greedy", "BERTH_PROMETHEUS_WINDOW", "10s");
    try (FourNodes cluster = new FourNodes(folder, clock, settings)) {
      while (!cluster.get("/v1/nodes").path(3).path("name").asText().equals("n3")) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      for (int i = 0; i < PODS; i++) {
        JsonNode reply = cluster.score("pod-" + i, "\"mode\":\"shadow\",");
        assertThat(reply.path("scores").path(0).asInt()).as(reply.toString()).isEqualTo(100);
        cluster.bound("pod-" + i, "n3", "", clock.instant());
      }
      JsonNode figures = cluster.get("/v1/report?since=1h").path("others");
      while (figures.path("gap").isNull()) {
        TimeUnit.MILLISECONDS.sleep(50);
        figures = cluster.get("/v1/report?since=1h").path("others");
      }
      assertThat(figures.path("pods").asInt()).isEqualTo(PODS);
      assertThat(figures.at("/agreement/mean").asDouble()).isZero();
      assertThat(figures.at("/gap/mean").asDouble()).isCloseTo((32 - 8) / 64.0, within(0.02));
      assertThat(figures.at("/measured/mean").asDouble()).isPositive();
      JsonNode decision = cluster.get("/v1/decisions/pod-0/1");
      assertThat(decision.path("node").asText()).isEqualTo("n3");
      assertThat(decision.at("/measured/usage").asDouble()).isCloseTo(0.5, within(0.01));
      assertThat(decision.at("/measured/afterSeconds").asDouble()).isBetween(300.0, 600.0);
    }
  }
}
