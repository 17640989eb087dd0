package dev.berth.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.usage.RecordedWorld;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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

  @Test
  void scenarios_of_recorded_usage_draw_their_own_owners_and_arrivals() {
    Scenario drawn =
        Scenario.of(
            "drawn",
            scenario.nodes(),
            scenario.workload(),
            UsageParameters.DEFAULT,
            scenario.metrics());
    assertThat(scenario.independent()).isTrue();
    assertThat(scenario.stream(9001)).isNotEqualTo(9001).isNotEqualTo(scenario.stream(9002));
    assertThat(drawn.stream(9001)).as("as the suite's figures were made").isEqualTo(9001);
  }
}
