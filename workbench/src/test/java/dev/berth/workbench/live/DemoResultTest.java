package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.store.Experience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoResultTest {
  private static Turn turn(String scheduler, int pending, double std) {
    return new Turn(
        scheduler,
        10,
        pending,
        new NodeUsage.Spread(std, 0.5, 0.3, 0),
        std,
        new double[] {Double.NaN, 0, std},
        0.01);
  }

  private static DemoResult result(
      int pending, int service, int fallback, int transitions, int servedByNew) {
    Turn stock = turn("stock", 0, 0.02);
    Turn berth = turn("berth", pending, 0.01);
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
  void theVerdictSaysByHowMuchAndInWhichDirection() {
    assertThat(result(0, 99, 1, 5, 3).table())
        .contains("CPU usage is spread 50 % less than under the stock scheduler");
    DemoResult good = result(0, 99, 1, 5, 3);
    DemoResult swapped =
        new DemoResult(
            good.berth(),
            good.stock(),
            1,
            good.decidedBy(),
            good.experience(),
            good.trainSteps(),
            1,
            1,
            1);
    assertThat(swapped.verdict()).contains("spread 100 % more than");
  }

  @Test
  void thePictureIsDrawnAlsoWhereThereAreNoSamples(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("demo/spread.png");
    result(0, 99, 1, 5, 3).draw(file);
    assertThat(Files.size(file)).isGreaterThan(1000);
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
