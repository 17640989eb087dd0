package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir private Path folder;

  private static Map<Metric, Double> cost(double value) {
    Map<Metric, Double> out = new EnumMap<>(Metric.class);
    for (Metric m : Metric.values()) {
      out.put(m, m == Metric.COST ? value : 0.0);
    }
    return out;
  }

  private static Scenario scenario(String name, double load) {
    return Scenario.of(
        name,
        List.of(NodeGroup.of("node", 10, 64_000, 256L << 30)),
        WorkloadSpec.of(WorkloadSpec.Kind.STEADY, load),
        UsageParameters.DEFAULT,
        MetricsSpec.DEFAULT);
  }

  @Test
  void the_file_has_the_promised_columns_and_reads_back() throws IOException {
    Results results = new Results();
    results.add(new Run("steady", "default", 9001), false, cost(0.05));
    Path file = folder.resolve("leaderboard.csv");
    results.write(file);
    assertThat(Files.readAllLines(file))
        .startsWith("scenario,seen_in_training,policy,seed,metric,value")
        .contains("steady,false,default,9001,cost,0.0500000000");
    Results again = new Results();
    again.read(file);
    assertThat(again.values("steady", "default", Metric.COST)).containsExactly(0.05);
  }

  @Test
  void what_workers_finished_in_any_order_stands_in_the_order_it_was_asked_for() {
    Run steady = new Run("steady", "default", 9001);
    Run burst = new Run("burst", "default", 9001);
    Results results = new Results();
    results.add(new Run("churn", "default", 9001), false, cost(1));
    results.add(burst, false, cost(1));
    results.add(steady, false, cost(1));
    results.keepOnly(List.of(steady, burst));
    assertThat(results.scenarios()).containsExactly("steady", "burst");
  }

  @Test
  void the_same_runs_are_the_same_file_whoever_finished_first() throws IOException {
    List<Run> runs =
        List.of(new Run("steady", "b", 2), new Run("burst", "b", 1), new Run("steady", "a", 1));
    List<byte[]> files = new ArrayList<>();
    for (List<Run> order : List.of(runs, List.of(runs.get(1), runs.get(2), runs.get(0)))) {
      Results results = new Results();
      order.forEach(run -> results.add(run, false, cost(run.seed())));
      Path file = folder.resolve(files.size() + ".csv");
      results.write(file);
      files.add(Files.readAllBytes(file));
    }
    assertThat(files.get(1)).isEqualTo(files.get(0));
  }

  @Test
  void a_file_older_than_a_metric_reads_back_without_it() throws IOException {
    Path file = folder.resolve("leaderboard.csv");
    Results.append(file, new Run("steady", "default", 9001), false, cost(0.05));
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.stream().filter(line -> !line.contains(",power,")).toList());
    Results again = new Results();
    again.read(file);
    assertThat(again.values("steady", "default", Metric.COST)).containsExactly(0.05);
    assertThat(again.values("steady", "default", Metric.POWER)).containsExactly(Double.NaN);
  }

  @Test
  void a_run_torn_by_a_kill_is_done_again_and_nothing_else() throws IOException {
    WorkFolder work = new WorkFolder(folder, List.of(scenario("steady", 0.5)), Map.of());
    List<Run> runs = List.of(new Run("steady", "a", 1), new Run("steady", "b", 1));
    assertThat(work.prepare(runs)).isEqualTo(runs);
    Results.append(work.part(0), runs.get(0), false, cost(1));
    Results.append(work.part(1), runs.get(1), false, cost(2));
    String torn = Files.readString(work.part(1));
    Files.writeString(work.part(1), torn.substring(0, torn.length() - 30));
    assertThat(work.prepare(runs)).containsExactly(runs.get(1));
  }

  @Test
  void a_last_figure_torn_by_a_kill_is_not_taken_for_a_smaller_one() throws IOException {
    Path file = folder.resolve("leaderboard.csv");
    Map<Metric, Double> figures = cost(1);
    Metric last = Metric.values()[Metric.values().length - 1];
    figures.put(last, 123.456789);
    Run run = new Run("steady", "a", 1);
    Results.append(file, run, false, figures);
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() - "3.456789\n".length()));
    Results results = new Results();
    results.read(file);
    assertThat(results.has(run)).isFalse();
  }

  @Test
  void results_of_a_changed_scenario_are_never_mixed() throws IOException {
    new WorkFolder(folder, List.of(scenario("steady", 0.5)), Map.of()).prepare(List.of());
    WorkFolder changed = new WorkFolder(folder, List.of(scenario("steady", 0.6)), Map.of());
    assertThatThrownBy(() -> changed.prepare(List.of()))
        .hasMessageContaining("another version of scenario steady: choose another --out");
  }

  @Test
  void results_of_a_changed_model_are_never_mixed() throws IOException {
    List<Scenario> steady = List.of(scenario("steady", 0.5));
    new WorkFolder(folder, steady, Map.of("model:a", "1")).prepare(List.of());
    new WorkFolder(folder, steady, Map.of("model:b", "2")).prepare(List.of());
    WorkFolder changed = new WorkFolder(folder, steady, Map.of("model:a", "3", "model:b", "2"));
    assertThatThrownBy(() -> changed.prepare(List.of()))
        .hasMessageContaining("another version of policy model:a: choose another --out");
  }

  @Test
  void a_comparison_counts_clear_differences_and_the_gap_closed() {
    Results results = new Results();
    for (long seed = 1; seed <= 5; seed++) {
      for (String s : List.of("x", "y")) {
        double wobble = 0.001 * seed;
        results.add(new Run(s, "default", seed), true, cost(0.10 + wobble));
        results.add(new Run(s, "oracle-profile", seed), true, cost(0.06 + wobble));
        double mine = s.equals("x") ? 0.07 + 1.001 * wobble : 0.1 + 0.9 * wobble + (seed - 3) * .01;
        results.add(new Run(s, "mine", seed), true, cost(mine));
      }
    }
    Comparison comparison = new Comparison(results, Metric.COST);
    var standing = comparison.against("mine", "default", s -> true);
    assertThat(standing.better()).isEqualTo(1);
    assertThat(standing.worse()).isZero();
    assertThat(comparison.gapClosed("mine", "default", "oracle-profile", s -> s.equals("x")))
        .hasValueCloseTo(0.75, within(0.001));
    assertThat(comparison.bestShipped("x")).isEqualTo("default");
    assertThat(new MarkdownReport(results).text("berth leaderboard")).contains("1 / 0 of 2");
  }

  @Test
  void a_report_leads_with_what_operators_feel_beside_the_profile_they_have() {
    Results results = new Results();
    for (long seed = 1; seed <= 5; seed++) {
      Map<Metric, Double> stock = cost(0.06);
      stock.put(Metric.HOT_NODE_SHARE, 0.02 + 0.001 * seed);
      stock.put(Metric.EVICTIONS, 2.0);
      Map<Metric, Double> mine = cost(0.04);
      mine.put(Metric.HOT_NODE_SHARE, 0.01 + 0.001 * seed);
      mine.put(Metric.EVICTIONS, 8.0 + seed);
      mine.put(Metric.P99_LATENCY_MILLIS, 40.0);
      results.add(new Run("x", "default-spread", seed), false, stock);
      results.add(new Run("x", "mine", seed), false, mine);
    }
    String text = new MarkdownReport(results).text("berth leaderboard");
    assertThat(text.indexOf("## What operators feel")).isLessThan(text.indexOf("## Cost"));
    assertThat(text)
        .contains("| mine | 1.30 (1 / 0) | 40.0 (0 / 1) | 0.000 (0 / 0) | 11.0 (0 / 1) |")
        .contains("| default-spread | 2.30 | 0.0 | 0.000 | 2.0 | 0.000 | 60.0 |");
  }
}
