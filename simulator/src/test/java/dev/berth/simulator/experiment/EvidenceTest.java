package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.statistics.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The claims of docs/evaluation.md on a small scale: three 10-node scenarios and ten seeds here,
 * the whole suite with {@code berth leaderboard}.
 */
class EvidenceTest {
  private static final Path SCENARIOS =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");
  private static final List<Long> SEEDS = LongStream.rangeClosed(9001, 9010).boxed().toList();
  private static final String BASE = "predict-then-greedy";

  private static final Results SUITE = new Results();

  /** Runs share nothing, so they may use every core. */
  private static void run(Results into, List<String> files, String... policies) throws IOException {
    for (String file : files) {
      Scenario s = ScenarioFile.read(SCENARIOS.resolve(file + ".yaml"));
      List<Run> runs = new Experiment(List.of(s), List.of(policies), SEEDS).runs();
      List<Map<Metric, Double>> measured =
          runs.parallelStream()
              .map(r -> Experiment.run(s, r.policy(), r.seed(), new PolicyCatalog()))
              .toList();
      for (int i = 0; i < runs.size(); i++) {
        into.add(runs.get(i), s.seenInTraining(), measured.get(i));
      }
    }
  }

  @BeforeAll
  static void suite() throws IOException {
    run(
        SUITE,
        List.of(
            "train/n10-steady-50",
            "unseen/n10-unequal-steady-20",
            "unseen/n10-antiphase-long-lived-60"),
        "default",
        "usage-plus-estimate",
        BASE,
        "oracle-profile");
  }

  @Test
  void the_base_is_clearly_better_than_the_default_profile_everywhere_seeds_9001_to_9010() {
    var standing = new Comparison(SUITE, Metric.COST).against(BASE, "default", s -> true);
    assertThat(standing.better()).isEqualTo(standing.scenarios());
    assertThat(standing.relative()).isLessThan(-0.25);
  }

  @Test
  void the_base_closes_most_of_the_gap_to_the_oracle_seeds_9001_to_9010() {
    assertThat(
            new Comparison(SUITE, Metric.COST)
                .gapClosed(BASE, "default", "oracle-profile", s -> true))
        .matches(gap -> gap.orElse(0) > 0.7);
  }

  @Test
  void the_base_is_clearly_worse_than_no_shipped_heuristic_seeds_9001_to_9010() {
    assertThat(new Comparison(SUITE, Metric.COST).againstBestShipped(BASE, s -> true).worse())
        .isZero();
  }

  @Test
  void deployments_end_balanced_and_random_does_not_seeds_9001_to_9010() throws IOException {
    Results results = new Results();
    run(results, List.of("deployments"), "random", "round-robin", BASE);
    List<Double> means = new ArrayList<>();
    for (String policy : List.of("random", "round-robin", BASE)) {
      means.add(
          Summary.of(results.values("deployments", policy, Metric.REQUEST_CPU_VARIANCE)).mean());
    }
    assertThat(means.get(0)).as("random").isBetween(0.002, 0.005);
    assertThat(means.get(1)).as("round-robin").isLessThan(0.0001);
  }

  @Test
  void the_demo_shows_less_spread_than_the_stock_profile_with_every_seed_9001_to_9010()
      throws IOException {
    Results results = new Results();
    run(results, List.of("demo"), "default-spread", BASE);
    double[] stock = results.values("demo", "default-spread", Metric.USAGE_CPU_STD);
    double[] base = results.values("demo", BASE, Metric.USAGE_CPU_STD);
    for (int i = 0; i < stock.length; i++) {
      assertThat(base[i]).as("seed %d", 9001 + i).isLessThan(stock[i]);
    }
    assertThat(Summary.of(base).mean()).isLessThan(0.7 * Summary.of(stock).mean());
  }

  @Test
  void what_a_live_cluster_adds_leaves_the_base_better_than_the_stock_profile_seeds_9001_to_9010()
      throws IOException {
    Results results = new Results();
    run(
        results,
        List.of("live/live-rates", "live/live-late-reports", "live/live-at-once-timeouts"),
        "default-spread",
        BASE);
    var standing = new Comparison(results, Metric.COST).against(BASE, "default-spread", s -> true);
    assertThat(standing.better()).isEqualTo(standing.scenarios());
  }

  @Test
  void faults_never_make_the_base_worse_than_the_default_profile_seeds_9001_to_9010()
      throws IOException {
    Results results = new Results();
    run(
        results,
        List.of("faults/lost-samples-30", "faults/stale-node", "faults/prometheus-down"),
        "default",
        BASE);
    Comparison comparison = new Comparison(results, Metric.COST);
    assertThat(comparison.against(BASE, "default", s -> true).worse()).isZero();
    assertThat(comparison.against(BASE, "default", s -> s.equals("prometheus-down")).relative())
        .as("cost against default with no metrics at all")
        .isNegative();
  }
}
