package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regret is measured five minutes after a bind: too long for a run on a real control plane, so here
 * the whole service runs by a clock that is fifty times as fast.
 */
@Timeout(60)
class ShadowRegretTest {
  @Test
  void inShadowThePodsNodesAreHeldAgainstBerthsByWhatPrometheusMeasuredFiveMinutesLater(
      @TempDir Path folder) throws Exception {
    FastClock clock = new FastClock(50);
    Map<String, String> settings =
        Map.of("BERTH_SCORING_POLICY", "predict-then-greedy", "BERTH_PROMETHEUS_WINDOW", "10s");
    try (FourNodes cluster = new FourNodes(folder, clock, settings)) {
      cluster.awaitSamples();
      JsonNode later = MissingNode.getInstance();
      for (int i = 0; later.isMissingNode(); i++) { // one may be looked at too late
        JsonNode reply = cluster.score("pod-" + i, "\"mode\":\"shadow\",");
        assertThat(reply.path("scores").path(0).asInt()).as(reply.toString()).isEqualTo(100);
        cluster.bound("pod-" + i, "n3", "", clock.instant());
        TimeUnit.MILLISECONDS.sleep(300);
        later = cluster.measured();
      }
      assertThat(later.path("node").asText()).isEqualTo("n3");
      assertThat(later.at("/measured/usage").asDouble()).isCloseTo(0.5, within(0.01));
      assertThat(later.at("/measured/afterSeconds").asDouble()).isBetween(300.0, 500.0);
      JsonNode figures = cluster.get("/v1/report?since=1h").path("others");
      assertThat(figures.at("/agreement/mean").asDouble(1)).isZero();
      assertThat(figures.at("/gap/mean").asDouble())
          .as("32 of 64 cores against 8, less some pods of 0.2")
          .isBetween(0.28, 0.376);
      assertThat(figures.at("/measured/mean").asDouble()).isPositive();
    }
  }
}
