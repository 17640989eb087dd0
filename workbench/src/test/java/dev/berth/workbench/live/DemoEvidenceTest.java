package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoEvidenceTest {
  @TempDir private Path folder;

  private void run(long seed, double stock, double berth, int pending, int service, int other)
      throws IOException {
    Path file = DemoEvidence.folder(folder, seed).resolve("summary.json");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            """
            {"pods_pending": %d, "placed_by_service_share": %f, "seed": %d, "change_pct": %f,
             "cpu_usage_std": {"stock": %f, "berth": %f},
             "simulated_cpu_usage_std": {"stock": 0.05, "stock_low": 0.04, "stock_high": 0.06, "berth": 0.02, "berth_low": 0.015, "berth_high": 0.025},
             "live_over_simulated": %f, "forecast_error_now": {"live": 0.02, "simulated": null, "live_just_bound": 0.03, "simulated_just_bound": 0.04},
             "decided_by": {"service": %d, "other_plugins": %d, "single_node": 0},
             "newer_weights": {"state": "kept-back"}, "machine_load": {"before": 0.4, "end": 1.5}}
            """,
            pending,
            (double) service / (service + other),
            seed,
            100 * (berth / stock - 1),
            stock,
            berth,
            berth / 0.02,
            service,
            other));
  }

  private JsonNode summary() throws IOException {
    Path file = folder.resolve("summary.json");
    DemoEvidence.read(folder).write(file);
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void theSummaryHasTheAgreedKeysAndWhatIsUseful() throws IOException {
    run(1, 0.05, 0.02, 0, 100, 0); // -60 %
    run(2, 0.05, 0.03, 0, 100, 0); // -40 %
    run(10, 0.05, 0.06, 2, 98, 2); // +20 %
    JsonNode json = summary();
    List<String> keys = new ArrayList<>();
    json.fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .startsWith(
            "runs",
            "lower",
            "mean_change_pct",
            "live_over_simulated",
            "pods_pending",
            "placed_by_service_share");
    assertThat(json.path("runs").asInt()).isEqualTo(3);
    assertThat(json.path("lower").asInt()).isEqualTo(2);
    assertThat(json.path("mean_change_pct").asDouble()).isCloseTo(-80.0 / 3, within(1e-5));
    assertThat(json.path("live_over_simulated").asDouble()).isCloseTo(5.5 / 3, within(1e-5));
    assertThat(json.path("pods_pending").asInt()).isEqualTo(2);
    assertThat(json.path("placed_by_service_share").asDouble())
        .isCloseTo(298.0 / 300, within(1e-5));
    assertThat(json.path("forecast_error_now_simulated").isNull()).isTrue();
    assertThat(json.path("forecast_error_just_bound_live").asDouble()).isEqualTo(0.03);
    assertThat(json.path("forecast_error_just_bound_simulated").asDouble()).isEqualTo(0.04);
  }

  @Test
  void theTableHasALinePerSeedInOrderAndTheMeanWithItsInterval() throws IOException {
    run(10, 0.05, 0.02, 0, 100, 0);
    run(2, 0.05, 0.03, 0, 100, 0);
    String table = DemoEvidence.read(folder).markdown();
    assertThat(table)
        .contains("Lower in 2 of 2 runs; mean change -50 ± 127 %")
        .contains(
            "| 10 | 5.00 % | 2.00 % | -60 % | 5.00 % (4.00 % to 6.00 %) | 2.00 % (1.50 % to 2.50 %)"
                + " | 1.00 | 2.00 % | unknown | 3.00 % | 4.00 % | 0 | 100.0 % | kept-back | 0.4,"
                + " 1.5 |")
        .containsPattern("mean ± 95 % .* 2\\.50 ± 6\\.35 % ");
    assertThat(table.indexOf("| 2 |")).isLessThan(table.indexOf("| 10 |"));
  }

  @Test
  void aSingleRunHasNoInterval() throws IOException {
    run(1, 0.05, 0.02, 0, 100, 0);
    assertThat(DemoEvidence.read(folder).markdown()).contains("mean change -60 %.");
    assertThat(summary().path("mean_change_pct_half_width_95").isNull()).isTrue();
  }

  @Test
  void onlyARunWithASummaryIsDone() throws IOException {
    run(1, 0.05, 0.02, 0, 100, 0);
    Files.createDirectories(DemoEvidence.folder(folder, 2));
    assertThat(DemoEvidence.done(folder, 1)).isTrue();
    assertThat(DemoEvidence.done(folder, 2)).isFalse();
    assertThat(summary().path("runs").asInt()).isEqualTo(1);
  }

  @Test
  void whatIsNoRunIsNamed() throws IOException {
    assertThatThrownBy(() -> DemoEvidence.read(folder))
        .hasMessageContaining("no run of the demo below " + folder);
    Path old = DemoEvidence.folder(folder, 3).resolve("summary.json");
    Files.createDirectories(old.getParent());
    Files.writeString(old, "{\"pods_bound\": 3}");
    assertThatThrownBy(() -> DemoEvidence.read(folder))
        .hasMessageContaining(old + " is no summary of a run of this release");
  }
}
