package dev.berth.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulator.workload.DeploymentGenerator.Options;
import dev.berth.simulator.workload.DeploymentGenerator.Sizes;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentGeneratorTest {
  private static final Options TEN_NODES = Options.standard(640_000, 2560L << 30, 1100);

  @Test
  void the_published_experiment_ends_each_epoch_at_its_load_target_seed_1() {
    List<DeploymentPlan> plans = DeploymentGenerator.generate(1, TEN_NODES);
    assertThat(plans).filteredOn(p -> p.action() == Action.RESET).hasSize(1);
    int reset = 0;
    while (plans.get(reset).action() != Action.RESET) {
      reset++;
    }
    for (var epoch : List.of(plans.subList(0, reset), plans.subList(reset, plans.size()))) {
      long cpu = epoch.stream().mapToLong(p -> p.podCount() * p.cpuRequestMilli()).sum();
      assertThat(cpu).isBetween(128_000L, 142_000L);
    }
    assertThat(plans)
        .allSatisfy(p -> assertThat(p.podCount()).isBetween(5, 15))
        .allSatisfy(p -> assertThat(p.cpuRequestMilli()).isEqualTo(1000))
        .allSatisfy(p -> assertThat(p.memoryRequestBytes()).isEqualTo(2L << 30));
    assertThat(plans).extracting(DeploymentPlan::name).doesNotHaveDuplicates();
  }

  @Test
  void the_same_seed_gives_the_same_list_and_another_seed_another() {
    assertThat(DeploymentGenerator.generate(7, TEN_NODES))
        .isEqualTo(DeploymentGenerator.generate(7, TEN_NODES))
        .isNotEqualTo(DeploymentGenerator.generate(8, TEN_NODES));
  }

  @Test
  void a_saved_list_replays_exactly_seed_3(@TempDir Path folder) throws IOException {
    var mixed = new Options(640_000, 2560L << 30, 1100, 0.8, 0.8, 0.8, Sizes.MIXED, 5, 15, 2);
    var plans = DeploymentGenerator.generate(3, mixed);
    Path file = folder.resolve("list.csv");
    DeploymentCsv.write(file, plans);
    assertThat(DeploymentCsv.read(file)).isEqualTo(plans);
    assertThat(Files.readAllLines(file).get(0))
        .isEqualTo("name,pod_count,cpu_request,cpu_limit,mem_request,mem_limit,action");
  }

  @Test
  void a_bad_line_is_named_with_file_and_line(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("list.csv");
    Files.writeString(
        file,
        "name,pod_count,cpu_request,cpu_limit,mem_request,mem_limit,action\n"
            + "web,5,1000m,1000m,2Gi,2GB,add\n");
    assertThatThrownBy(() -> DeploymentCsv.read(file))
        .hasMessageContaining("list.csv:2: '2GB' is not a Kubernetes quantity: write 512Mi or 2Gi");
  }

  @Test
  void a_rhythm_brings_its_first_share_quickly_then_pauses_then_the_rest_one_by_one() {
    List<DeploymentPlan> plans = DeploymentGenerator.generate(1, TEN_NODES).subList(0, 8);
    assertThat(times(plans, new Rhythm(0.5, 1, 40, 2)))
        .containsExactly(0.0, 1.0, 2.0, 3.0, 44.0, 46.0, 48.0, 50.0);
    assertThat(times(plans, new Rhythm(1, 1, 40, 2))).endsWith(6.0, 7.0);
    assertThat(times(plans, Rhythm.DEFAULT)).startsWith(0.0, 40.0, 80.0);
    assertThat(new Rhythm(0.5, 1, 40, 2).restBegins(8)).isEqualTo(44);
  }

  private static List<Double> times(List<DeploymentPlan> plans, Rhythm rhythm) {
    return WorkloadGenerator.events(plans, rhythm).stream().map(WorkloadEvent::at).toList();
  }
}
