package dev.berth.simulator.scenario;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.engine.DecisionHash;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.usage.Range;
import dev.berth.simulator.usage.Recorded;
import dev.berth.simulator.usage.RequestRule;
import dev.berth.simulator.usage.StartUp;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.Rhythm;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioFileTest {
  private static final Path SHIPPED =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("mine.yaml"), text);
  }

  private static final String GOOD =
      """
      nodes:
        - {count: 3, cpu: 8, memory: 32Gi}
      workload: {kind: burst, load: 40%, rhythm: {first: 75%, first_every: 0.4s, pause: 1m, every: 2s}}
      usage: {ratio: [0.3, 0.9], phases: antiphase, day: 1h, startup: {delay: [5s, 1m], surge: 2}}
      lifetime: {law: heavy, mean: 10m}
      metrics: {scrape: 15s, loss: 30%, window: 1m, pull: 5s, restarts: 2h}
      outcomes: {delay: [1s, 5s], loss: 2%, resync: 10m, clock_offset: -3s, reservations: false}
      timeouts: 0.1%
      faults:
        - {kind: stale-node, node: node-1, from: 5m, to: 10m}
      """;

  @Test
  void every_key_arrives() throws IOException {
    Scenario s = ScenarioFile.read(write(GOOD));
    assertThat(s.name()).isEqualTo("mine");
    assertThat(s.nodes()).containsExactly(NodeGroup.of("node", 3, 8000, 32L << 30));
    assertThat(s.workload().kind()).isEqualTo(Kind.BURST);
    assertThat(s.workload().load()).isEqualTo(0.4);
    assertThat(s.workload().rhythm()).isEqualTo(new Rhythm(0.75, 0.4, 60, 2));
    assertThat(s.usage().cpuRatio().max()).isEqualTo(0.9);
    assertThat(s.usage().phases()).isEqualTo(UsageParameters.Phases.ANTIPHASE);
    assertThat(s.usage().daySeconds()).isEqualTo(3600);
    assertThat(s.usage().startUp())
        .isEqualTo(new StartUp(new Range(5, 60), new Range(2, 2), new Range(30, 30)));
    assertThat(s.usage().lifetime().meanSeconds()).isEqualTo(600);
    assertThat(s.metrics()).isEqualTo(new MetricsSpec(15, 10, 0.3, 60, 5, 7200, false));
    assertThat(s.outcomes()).isEqualTo(new OutcomeSpec(new Range(1, 5), 0.02, 600, -3, false));
    assertThat(s.timeouts()).isEqualTo(0.001);
    assertThat(s.faults()).containsExactly(new Fault(Fault.Kind.STALE_NODE, "node-1", 300, 600, 0));
    assertThat(s.seenInTraining()).isFalse();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "load: 40%            | load: 140%          | mine.yaml:3: load: '140%' is no share: write"
            + " 5% or 0.05",
        "kind: burst          | kind: birst         | mine.yaml:3: kind: 'birst' is unknown; one of"
            + " steady, diurnal, burst, batch, churn, deployments, recorded",
        "memory: 32Gi         | memroy: 32Gi        | mine.yaml:2: memory: missing: add for example"
            + " 'cpu: 64, memory: 256Gi'",
        "memory: 32Gi         | memory: 32Gi, speed: 0 | mine.yaml:2: speed: '0' is no speed: write"
            + " a number above 0, such as 0.7",
        "scrape: 15s          | scrap: 15s          | mine.yaml:6: scrap: unknown key; known here:"
            + " scrape, delay, loss, window, pull, restarts",
        "scrape: 15s          | scrape: 15          | mine.yaml:6: scrape: '15' is no duration:"
            + " write 90s, 40m or 3h",
        "[0.3, 0.9]           | [0.9, 0.3]          | mine.yaml:4: ratio: range [0.9, 0.3] needs"
            + " two finite numbers, the smaller first",
        "delay: [5s, 1m]      | delay: [5s, 1m, 2m] | mine.yaml:4: delay: need [min, max] or one"
            + " duration, such as [5s, 2m]",
        "delay: [5s, 1m]      | delay: 5            | mine.yaml:4: delay: '5' is no duration: write"
            + " 90s, 40m or 3h",
        "surge: 2             | surge: -2           | mine.yaml:4: delay: startup must not be"
            + " negative",
        "surge: 2             | urge: 2             | mine.yaml:4: urge: unknown key; known here:"
            + " delay, surge, surge_for",
        "window: 1m           | window: 20s         | mine.yaml:6: scrape: a rate over 20.0 s never"
            + " holds two scrapes of every 15.0 s: use a window of at least 30.0 s",
        "window: 1m, pull: 5s | pull: 5s            | mine.yaml:6: pull: belongs to rates: add for"
            + " example 'window: 1m'",
        "pull: 5s             | pull: 1s            | mine.yaml:6: scrape: pull is at least 5s",
        "restarts: 2h         | restarts: 0s        | mine.yaml:6: scrape: restarts must be apart",
        "delay: [1s, 5s]      | delay: [5s, 1s]     | mine.yaml:7: delay: range [5.0, 1.0] needs",
        "loss: 2%             | loss: 100%          | mine.yaml:7: delay: outcomes need delay >= 0s"
            + " and 0 <= loss < 100 %",
        "resync: 10m          | resync: 1s          | mine.yaml:7: delay: resync is at least 5s",
        "clock_offset: -3s    | clock: 3s           | mine.yaml:7: clock: unknown key; known here:"
            + " delay, loss, resync, clock_offset",
        "timeouts: 0.1%       | timeouts: 5         | mine.yaml:8: timeouts: '5' is no share: write"
            + " 5% or 0.05",
        "node: node-1         | node: node-7        | mine.yaml:10: node: no node 'node-7'; names"
            + " run from node-0 to node-2",
        "to: 10m              | to: 1m              | mine.yaml:10: kind: fault ends before it"
            + " begins: set 'to' later than 'from'",
        "mean: 10m            | mean: -1m           | mine.yaml:5: mean: lifetime needs a mean"
            + " above 0 s",
        "day: 1h              | day: 1h, day: 2h    | mine.yaml:4: day: given twice, first in line 4:"
            + " keep one",
        "workload: {          | load: {             | mine.yaml:1: workload: missing: add for"
            + " example 'workload: {kind: steady, load: 50%}'",
        "faults:              | faults: none #      | mine.yaml:10: not YAML",
      })
  void a_mistake_is_named_with_file_line_key_and_fix(String right, String wrong, String message)
      throws IOException {
    assertThat(GOOD).contains(right);
    Path file = write(GOOD.replace(right, wrong));
    assertThatThrownBy(() -> ScenarioFile.read(file))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_group_of_nodes_may_be_slow() throws IOException {
    Scenario s = ScenarioFile.read(write(GOOD.replace("memory: 32Gi", "memory: 32Gi, speed: 0.7")));
    assertThat(s.nodes().get(0).speed(0)).isEqualTo(0.7);
    assertThat(s.nodes().get(0).speed(3)).isEqualTo(0.7);
  }

  @Test
  void speeds_are_dealt_out_to_the_nodes_of_a_group_in_turn() throws IOException {
    Scenario s =
        ScenarioFile.read(write(GOOD.replace("memory: 32Gi", "memory: 32Gi, speed: [1, 0.7]")));
    NodeGroup group = s.nodes().get(0);
    assertThat(List.of(group.speed(0), group.speed(1), group.speed(2)))
        .containsExactly(1.0, 0.7, 1.0);
  }

  static List<Path> shipped() throws IOException {
    try (Stream<Path> walk = Files.walk(SHIPPED)) {
      return walk.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void every_shipped_scenario_runs(Path file) throws IOException {
    Scenario scenario = readOrSkip(file);
    int nodes = scenario.nodes().stream().mapToInt(NodeGroup::count).sum();
    Scenario taste = scenario.withDuration(nodes > 50 ? 120 : 1200, 0);
    PolicyCatalog catalog = new PolicyCatalog();
    var hash = new DecisionHash();
    Simulation simulation =
        Experiment.simulation(taste, catalog.find("default-spread"), 1, catalog);
    simulation.listen(hash).run();
    assertThat(hash.binds()).isPositive();
  }

  /** Data of others is not part of this repository: without it a scenario is skipped. */
  private static Scenario readOrSkip(Path file) throws IOException {
    try {
      return ScenarioFile.read(file);
    } catch (MissingHistoryException e) {
      Assumptions.abort("skipped: " + e.getMessage());
      throw e;
    }
  }

  private static final String RECORDED = GOOD.replace("usage: {", "usage: {history: h.csv, ");

  private void history(int steps) throws IOException {
    String cpu = IntStream.range(0, steps).mapToObj(i -> i % 2 + "").collect(joining(" "));
    Files.writeString(
        folder.resolve("h.csv"),
        "owner,pod,from,step,steps,cpu\na,1,0,300," + steps + "," + cpu + "\n");
  }

  @Test
  void recorded_usage_is_read_from_a_file_beside_the_scenario() throws IOException {
    history(36);
    Scenario s = ScenarioFile.read(write(RECORDED));
    Recorded recorded = s.usage().recorded();
    assertThat(recorded).isNotNull();
    assertThat(recorded.rule()).isEqualTo(RequestRule.P90_OWNER);
    assertThat(recorded.history().series()).hasSize(1);
    assertThat(recorded.spanSeconds()).isEqualTo(s.durationSeconds());
    assertThat(s.independent()).isTrue();
    Path other = write(RECORDED.replace("h.csv", "h.csv, request: mean"));
    assertThat(ScenarioFile.read(other).usage().recorded())
        .extracting(Recorded::rule)
        .isEqualTo(RequestRule.MEAN);
  }

  @Test
  void a_scenario_whose_data_is_not_here_says_what_to_set_and_is_skipped_among_others()
      throws IOException {
    Path unset = write(RECORDED.replace("h.csv", "\"${BERTH_NO_SUCH}/planetlab.csv.gz\""));
    assertThatThrownBy(() -> ScenarioFile.read(unset))
        .isInstanceOf(MissingHistoryException.class)
        .hasMessage(
            unset
                + ":4: recorded data is not part of Berth: set BERTH_NO_SUCH to the folder of"
                + " planetlab.csv.gz (docs/real-load.md)");
    Files.writeString(folder.resolve("drawn.yaml"), GOOD);
    List<String> skipped = new ArrayList<>();
    assertThat(ScenarioFile.readAll(folder, e -> skipped.add(e.getMessage())))
        .extracting(Scenario::name)
        .containsExactly("drawn");
    assertThat(skipped).hasSize(1);
    assertThatThrownBy(() -> ScenarioFile.readAll(folder))
        .isInstanceOf(MissingHistoryException.class);
    Path gone = write(RECORDED);
    assertThatThrownBy(() -> ScenarioFile.read(gone))
        .isInstanceOf(MissingHistoryException.class)
        .hasMessageContaining("no file " + folder.resolve("h.csv"))
        .hasMessageContaining("'berth import' makes it");
  }

  @Test
  void a_relative_folder_in_a_variable_is_relative_to_where_the_command_is_run()
      throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path histories = SHIPPED.resolve("histories").toAbsolutePath().normalize();
    System.setProperty("BERTH_RELATIVE", here.relativize(histories).toString());
    try {
      Path file = write(RECORDED.replace("h.csv", "\"${BERTH_RELATIVE}/small.csv\""));
      assertThat(ScenarioFile.read(file).usage().recorded()).isNotNull();
    } finally {
      System.clearProperty("BERTH_RELATIVE");
    }
  }

  @Test
  void a_rule_of_requests_without_a_history_is_a_mistake() throws IOException {
    Path file = write(GOOD.replace("usage: {", "usage: {request: mean, "));
    assertThatThrownBy(() -> ScenarioFile.read(file))
        .hasMessageContaining(
            "mine.yaml:4: request: belongs to recorded usage: add 'history: FILE'");
  }

  @Test
  void the_live_scenarios_add_to_their_reference_what_a_cluster_has() throws IOException {
    List<Scenario> live = ScenarioFile.readAll(SHIPPED.resolve("live"));
    Scenario none = ScenarioFile.read(SHIPPED.resolve("live/live-none.yaml"));
    Scenario all = ScenarioFile.read(SHIPPED.resolve("live/live-all.yaml"));
    assertThat(none.usage().startUp()).isEqualTo(StartUp.NONE);
    assertThat(none.metrics().rates()).isFalse();
    assertThat(none.outcomes()).isEqualTo(OutcomeSpec.AT_ONCE);
    assertThat(none.timeouts()).isZero();
    List<Predicate<Scenario>> realities =
        List.of(
            s -> s.usage().startUp().delaySeconds().max() > 0,
            s -> s.usage().startUp().surge().max() > 0,
            s -> s.metrics().rates(),
            s -> Double.isFinite(s.metrics().restartSeconds()),
            s -> s.outcomes().delaySeconds().max() > 0,
            s -> s.outcomes().loss() > 0,
            s -> s.outcomes().clockOffsetSeconds() != 0,
            s -> s.timeouts() > 0);
    for (int i = 0; i < realities.size(); i++) {
      assertThat(realities.get(i)).as("reality %d", i).accepts(all).rejects(none);
      assertThat(live.stream().filter(realities.get(i))).as("reality %d", i).hasSizeGreaterThan(1);
    }
  }

  @Test
  void restless_worlds_draw_owners_and_arrivals_of_their_own() throws IOException {
    List<Scenario> worlds = ScenarioFile.readAll(SHIPPED.resolve("worlds"));
    assertThat(worlds).hasSizeGreaterThanOrEqualTo(8).allMatch(Scenario::independent);
    assertThat(worlds).allMatch(s -> s.usage().nature() != null);
    assertThat(worlds).extracting(s -> s.stream(9001)).doesNotHaveDuplicates();
    Path both = write(RECORDED.replace("h.csv", "h.csv, nature: {unlike: 10%}"));
    assertThatThrownBy(() -> ScenarioFile.read(both))
        .hasMessageContaining("mine.yaml:4: nature: is drawn, a history is recorded: keep one");
  }

  @Test
  void recorded_arrivals_are_read_from_a_file_beside_the_scenario() throws IOException {
    Files.writeString(
        folder.resolve("a.csv"), "at,owner,cpu,memory,lives\n0,shop,0.5,512,600 inf\n");
    String workload =
        "workload: {kind: burst, load: 40%, rhythm: {first: 75%, first_every: 0.4s, pause: 1m,"
            + " every: 2s}}";
    assertThat(GOOD).contains(workload);
    Path file =
        write(GOOD.replace(workload, "workload: {kind: recorded, arrivals: a.csv, load: 40%}"));
    Scenario s = ScenarioFile.read(file);
    assertThat(s.workload().kind()).isEqualTo(Kind.RECORDED);
    assertThat(s.workload().arrivals()).isNotNull();
    assertThat(s.independent()).isTrue();
    Path none = write(GOOD.replace(workload, "workload: {kind: recorded, load: 40%}"));
    assertThatThrownBy(() -> ScenarioFile.read(none))
        .hasMessageContaining("mine.yaml:3: arrivals: missing: add for example 'arrivals: a");
  }

  @Test
  void the_suite_covers_what_it_must() throws IOException {
    List<Scenario> train = ScenarioFile.readAll(SHIPPED.resolve("train"));
    List<Scenario> unseen = ScenarioFile.readAll(SHIPPED.resolve("unseen"));
    assertThat(train).allMatch(Scenario::seenInTraining);
    assertThat(unseen).noneMatch(Scenario::seenInTraining).hasSizeGreaterThanOrEqualTo(12);
    List<Scenario> suite = Stream.concat(train.stream(), unseen.stream()).toList();
    assertThat(suite).hasSizeGreaterThanOrEqualTo(24);
    assertThat(suite).extracting(s -> s.workload().load()).contains(0.2, 0.5, 0.8);
    assertThat(suite).extracting(s -> s.metrics().scrapeSeconds()).contains(15.0, 30.0, 60.0);
    assertThat(suite).extracting(s -> s.metrics().loss()).contains(0.0, 0.05, 0.3);
    assertThat(suite)
        .extracting(s -> s.nodes().stream().mapToInt(NodeGroup::count).sum())
        .contains(10, 100, 1000);
    assertThat(suite)
        .extracting(s -> s.workload().kind())
        .contains(Kind.STEADY, Kind.DIURNAL, Kind.BURST, Kind.BATCH, Kind.CHURN);
  }
}
