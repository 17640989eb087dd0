package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.store.Experience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoResultTest {
  private static final String STATUS =
      """
      {"forecast": {"now": {"outcomes": 40, "rmse": 0.0214}, "now-just-bound": {"rmse": 0.0333}, "5m": {"rmse": 0.05}},
       "promotion": {"state": "kept-back", "version": null, "decisions": 41, "gain": -0.0004,
         "interval": [-0.0012, 0.0004], "reason": "kept back: no clear gain on 41 held-out decisions"},
       "watch": {"state": "serving", "version": 1, "decisions": 120, "gain": 0.0011,
         "interval": [0.0002, 0.002], "reason": "gains over its base"}}
      """;

  static Turn turn(String scheduler, int pending, double std) {
    return new Turn(
        scheduler,
        10,
        pending,
        new NodeUsage.Spread(std, 0.5, 0.3, 0),
        std,
        new double[] {Double.NaN, 0, std},
        0.01,
        0);
  }

  static DemoResult result(int pending, int service, int fallback, int transitions) {
    try {
      return result(
          turn("stock", 0, 0.02), turn("berth", pending, 0.01), service, fallback, transitions);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DemoResult result(
      Turn stock, Turn berth, int service, int fallback, int transitions)
      throws JsonProcessingException {
    return result(stock, berth, service, fallback, transitions, new DemoResult.Load(0.5, 2));
  }

  private static DemoResult result(
      Turn stock, Turn berth, int service, int fallback, int transitions, DemoResult.Load load)
      throws JsonProcessingException {
    return new DemoResult(
        7,
        stock,
        berth,
        new DemoResult.Twins(
            new Twin.Result(0.021, 0.02, 0.022, Double.NaN, Double.NaN),
            new Twin.Result(0.008, 0.007, 0.009, 0.02, 0.04)),
        new DemoResult.DecidedBy(service, fallback, 0),
        new Experience(10, transitions, List.of(1L, 2L), 3, List.of()),
        new ServiceStatus(new ObjectMapper().readTree(STATUS)),
        120,
        1.5,
        9,
        load,
        240);
  }

  @Test
  void aDemoThatShowsEverythingHasNoFailures() {
    assertThat(result(0, 99, 1, 5).failures()).isEmpty();
  }

  @Test
  void aClusterThatSomebodyElseWorkedOnProvesNothing() throws Exception {
    Turn emptied =
        new Turn("stock", 7, 0, new NodeUsage.Spread(1, 0.5, 0.3, 0), 1, new double[] {1}, 0.01, 0);
    assertThat(result(emptied, turn("berth", 0, 0.01), 99, 1, 5).failures())
        .singleElement()
        .asString()
        .contains("bound 7 pods and Berth 10", "somebody else");
  }

  @Test
  void eachShortfallIsNamed() {
    assertThat(result(2, 99, 1, 5).failures()).containsExactly("2 pods stayed pending");
    assertThat(result(0, 98, 2, 5).failures())
        .containsExactly("only 98.0 % of the placements came from the service's scores, not 99 %");
    assertThat(result(0, 99, 1, 0).failures())
        .containsExactly("no transition has a measured reward");
    assertThat(result(0, 0, 0, 5).failures()).hasSize(1); // no placement at all
  }

  @Test
  void aShortfallOnACrowdedMachineIsLaidToTheMachine() throws JsonProcessingException {
    DemoResult crowded =
        result(
            turn("stock", 0, 0.02), turn("berth", 0, 0.01), 98, 2, 5, new DemoResult.Load(1, 1e4));
    assertThat(crowded.failures())
        .singleElement()
        .asString()
        .contains(
            "98.0 %", "10000 processes wanted one of", "run it again when the machine is quiet");
  }

  @Test
  void theVerdictSaysByHowMuchAndInWhichDirection() throws JsonProcessingException {
    assertThat(result(0, 99, 1, 5).table())
        .contains("CPU usage is spread 50 % less than under the stock scheduler");
    DemoResult swapped = result(turn("stock", 0, 0.01), turn("berth", 0, 0.02), 99, 1, 5);
    assertThat(swapped.verdict()).contains("spread 100 % more than");
  }

  @Test
  void theTableHoldsTheRunAgainstItsTwinAndSaysWhatWasLearned() {
    assertThat(result(0, 99, 1, 5).table())
        .containsPattern("CPU used, std over nodes +2\\.00 % +1\\.00 % +-50 %")
        .containsPattern("the same list on the virtual clock +2\\.10 % +0\\.80 % +-62 %")
        .containsPattern("live over simulated +0\\.95 +1\\.25")
        .contains("2.0 to 2.2 % under the stock scheduler", "0.7 to 0.9 % under Berth")
        .containsPattern("error of the forecast of now +2\\.14 % live, 2\\.00 % simulated")
        .containsPattern("within 15 s of a bind +3\\.33 % live, 4\\.00 % simulated")
        .contains(
            "kept back, because: no clear gain on 41 held-out decisions (-0.0004, 95 % interval"
                + " -0.0012 to +0.0004, 41 decisions)")
        .contains("gains over its base (+0.0011, 95 % interval +0.0002 to +0.0020, 120 decisions)");
  }

  @Test
  void whatAnOlderServiceDoesNotSayIsUnknown() throws IOException {
    ServiceStatus old = new ServiceStatus(new ObjectMapper().readTree("{\"forecast\": {}}"));
    assertThat(old.forecastErrorNow()).isNaN();
    assertThat(old.newerWeights()).isEqualTo("nothing is known of them");
    assertThat(old.watched()).isEmpty();
    ServiceStatus off =
        new ServiceStatus(new ObjectMapper().readTree("{\"promotion\": null, \"watch\": null}"));
    assertThat(off.newerWeights()).isEqualTo("nothing is known of them");
    assertThat(off.watched()).isEmpty();
  }

  @Test
  void thePictureIsDrawnAlsoWhereThereAreNoSamples(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("demo/spread.png");
    result(0, 99, 1, 5).draw(file);
    assertThat(Files.size(file)).isGreaterThan(1000);
  }

  @Test
  void theSummaryHasExactlyTheAgreedKeys(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("demo/summary.json");
    result(0, 99, 1, 5).write(file);
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
            "seconds",
            "seed",
            "change_pct",
            "simulated_cpu_usage_std",
            "live_over_simulated",
            "forecast_error_now",
            "decided_by",
            "newer_weights",
            "serving_weights",
            "machine_load",
            "seconds_late");
    assertThat(json.at("/change_pct").asDouble()).isEqualTo(-50);
    assertThat(json.at("/live_over_simulated").asDouble()).isEqualTo(1.25);
    assertThat(json.at("/simulated_cpu_usage_std/berth_low").asDouble()).isEqualTo(0.007);
    assertThat(json.at("/forecast_error_now/live").asDouble()).isEqualTo(0.0214);
    assertThat(json.at("/forecast_error_now/live_just_bound").asDouble()).isEqualTo(0.0333);
    assertThat(json.at("/forecast_error_now/simulated_just_bound").asDouble()).isEqualTo(0.04);
    assertThat(json.at("/newer_weights/state").asText()).isEqualTo("kept-back");
    assertThat(json.at("/decided_by/service").asInt()).isEqualTo(99);
    assertThat(json.at("/cpu_usage_std/stock").asDouble()).isEqualTo(0.02);
    assertThat(json.at("/cpu_usage_std/berth").asDouble()).isEqualTo(0.01);
    assertThat(json.at("/score_latency_ms/p99").asDouble()).isEqualTo(9);
    assertThat(json.at("/pods_bound").asInt()).isEqualTo(20);
  }
}
