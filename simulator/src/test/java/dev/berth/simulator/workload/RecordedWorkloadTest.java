package dev.berth.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.usage.RecordedWorld;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordedWorkloadTest {
  private static final double DURATION = 6 * 3600;
  private static final long GIB = 1L << 30;

  private final Scenario scenario;
  private final UsageModel usage;

  RecordedWorkloadTest() throws IOException {
    Path root = Path.of(System.getProperty("berth.root", ".."));
    scenario = ScenarioFile.read(root.resolve("simulator/scenarios/recorded.yaml"));
    usage = new UsageModel(7, scenario.usage());
  }

  private List<WorkloadEvent> events(WorkloadSpec spec, long cores) {
    return WorkloadGenerator.generate(spec, usage, 7, cores * 1000, 64 * GIB, 440, DURATION);
  }

  private static WorkloadSpec spec(WorkloadSpec.Kind kind) {
    return WorkloadSpec.of(kind, 0.5);
  }

  private record Life(PodSpec spec, double from, double to) {}

  private static List<Life> lives(List<WorkloadEvent> events) {
    List<Life> out = new ArrayList<>();
    for (WorkloadEvent event : events) {
      if (event instanceof WorkloadEvent.Submit submit) {
        for (PodSpec pod : submit.pods()) {
          out.add(new Life(pod, event.at(), event.at() + pod.lifetimeSeconds()));
        }
      } else if (event instanceof WorkloadEvent.DeleteOwner delete) {
        out.replaceAll(
            l ->
                l.spec().pod().owner().equals(delete.owner()) && l.to() > event.at()
                    ? new Life(l.spec(), l.from(), event.at())
                    : l);
      }
    }
    return out;
  }

  @ParameterizedTest
  @EnumSource(
      value = WorkloadSpec.Kind.class,
      names = {"STEADY", "DIURNAL", "BURST", "CHURN"})
  void no_two_living_pods_of_an_owner_play_the_same_record_seed_7(WorkloadSpec.Kind kind) {
    List<Life> lives = lives(events(spec(kind), 16));
    assertThat(lives).hasSizeGreaterThan(30);
    Set<String> uids = new HashSet<>();
    RecordedWorld world = usage.recorded();
    assertThat(world).isNotNull();
    for (Life a : lives) {
      Pod pod = a.spec().pod();
      assertThat(uids.add(pod.uid())).as("%s comes once", pod.uid()).isTrue();
      for (Life b : lives) {
        boolean together = a != b && a.from() < b.to() && b.from() < a.to();
        if (together && pod.owner().equals(b.spec().pod().owner())) {
          assertThat(usage.start(pod, 0, 0).load())
              .isNotSameAs(usage.start(b.spec().pod(), 0, 0).load());
        }
      }
    }
  }

  @Test
  void every_pod_asks_for_what_the_rule_says_of_its_own_record_seed_7() {
    RecordedWorld world = usage.recorded();
    assertThat(world).isNotNull();
    for (Life life : lives(events(spec(WorkloadSpec.Kind.STEADY), 16))) {
      Pod pod = life.spec().pod();
      int ordinal = Integer.parseInt(pod.uid().substring(pod.uid().lastIndexOf('/') + 1));
      RecordedWorld.Pod played = world.pod(pod.owner(), ordinal);
      assertThat(pod.cpuMilli()).isEqualTo(played.cpuMilli());
      assertThat(pod.memoryBytes()).isEqualTo(played.memoryBytes());
    }
  }

  @Test
  void a_history_too_small_for_the_load_is_said_before_the_run() {
    assertThatThrownBy(() -> events(spec(WorkloadSpec.Kind.STEADY), 4000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("every recorded pod runs, and the load is still below 50 %")
        .hasMessageContaining("use fewer or smaller nodes");
  }

  private static List<WorkloadEvent> workload(Scenario scenario) {
    return new Simulation(scenario, 9001, new PolicyCatalog().find("default-spread")).workload();
  }

  @Test
  void two_scenarios_of_recorded_usage_share_neither_owners_nor_arrivals_in_one_seed(
      @TempDir Path folder) throws IOException {
    Path root = Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");
    String text = Files.readString(root.resolve("recorded.yaml"));
    String data = root.resolve("histories").toAbsolutePath().normalize().toString();
    text = text.replace("histories/", data + "/");
    Scenario twin = ScenarioFile.read(Files.writeString(folder.resolve("twin.yaml"), text));
    assertThat(workload(twin)).isNotEqualTo(workload(scenario)).isEqualTo(workload(twin));

    text += "independent: false\n";
    Scenario one = ScenarioFile.read(Files.writeString(folder.resolve("one.yaml"), text));
    Scenario other = ScenarioFile.read(Files.writeString(folder.resolve("other.yaml"), text));
    assertThat(workload(one)).as("as the suite does").isEqualTo(workload(other));
  }

  @Test
  void drawn_usage_keeps_the_seed_that_the_suites_figures_were_made_with() {
    Scenario drawn =
        Scenario.of(
            "drawn",
            scenario.nodes(),
            scenario.workload(),
            UsageParameters.DEFAULT,
            scenario.metrics());
    assertThat(scenario.independent()).isTrue();
    assertThat(drawn.stream(9001)).isEqualTo(9001);
  }
}
