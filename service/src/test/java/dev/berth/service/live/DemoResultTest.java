package dev.berth.service.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.store.Experience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoResultTest {
  private static DemoResult result(
      int pending, int service, int fallback, int transitions, int servedByNew) {
    Turn stock = new Turn("stock", 10, 0, new NodeUsage.Spread(0.02, 0.5, 0.3, 0), 0.01);
    Turn berth = new Turn("berth", 10, pending, new NodeUsage.Spread(0.01, 0.4, 0.3, 0), 0.03);
    return new DemoResult(
        stock,
        berth,
        (double) service / (service + fallback),
        new DemoResult.DecidedBy(service, fallback, 0),
        new Experience(10, transitions, List.of(1L, 2L), servedByNew, List.of()),
        120,
        1.5,
        9,
        240);
  }

  @Test
  void aDemoThatShowsEverythingHasNoFailures() {
    assertThat(result(0, 99, 1, 5, 3).failures()).isEmpty();
  }

  @Test
  void eachShortfallIsNamed() {
    assertThat(result(2, 99, 1, 5, 3).failures()).containsExactly("2 pods stayed pending");
    assertThat(result(0, 98, 2, 5, 3).failures())
        .containsExactly("only 98.0 % of the placements came from the service's scores, not 99 %");
    assertThat(result(0, 99, 1, 0, 3).failures())
        .containsExactly("no transition has a measured reward");
    assertThat(result(0, 99, 1, 5, 0).failures()).containsExactly("no newer model version served");
    assertThat(result(0, 0, 0, 5, 3).failures()).hasSize(1); // no placement at all
  }

  @Test
  void theSummaryHasExactlyTheAgreedKeys(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("demo/summary.json");
    result(0, 99, 1, 5, 3).write(file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    List<String> keys = new ArrayList<>();
    json.fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .containsExactly(
            "pods_bound",
            "pods_pending",
            "placed_by_service_share",
            "transitions",
            "train_steps",
            "model_versions",
            "served_by_new_model",
            "cpu_usage_std",
            "cpu_request_std",
            "score_latency_ms",
            "seconds");
    assertThat(json.at("/cpu_usage_std/stock").asDouble()).isEqualTo(0.02);
    assertThat(json.at("/cpu_usage_std/berth").asDouble()).isEqualTo(0.01);
    assertThat(json.at("/score_latency_ms/p99").asDouble()).isEqualTo(9);
    assertThat(json.at("/pods_bound").asInt()).isEqualTo(20);
  }
}
