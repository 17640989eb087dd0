package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.experiment.SwitchbackRun.Outcome;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Experiments as {@code berth ab} makes them; {@code make evidence-ab} makes more of them. */
class SwitchbackTrialsTest {
  private static final PolicyFactory A = new PolicyCatalog().find("least-allocated");

  private static SwitchbackTrials trials(int nodes, double hours, double worseBy)
      throws IOException {
    Path file =
        Path.of(System.getProperty("berth.root"))
            .resolve("simulator/scenarios/experiment/n40-short-jobs-50.yaml");
    Scenario world = ScenarioFile.read(file).withDuration(hours * 3_600, 0);
    NodeGroup node = world.nodes().get(0);
    Scenario some = world.withNodes(List.of(node.with(nodes, node.cpuMilli(), node.memoryBytes())));
    return new SwitchbackTrials(some, A, worseBy);
  }

  @Test
  void ofTwentyExperimentsWithItselfAtMostOneRaisesAnAlarm_world1() throws IOException {
    assertThat(trials(6, 16, 0).withItself(1, 20))
        .allSatisfy(e -> assertThat(e.pairs()).isGreaterThan(18))
        .filteredOn(Outcome::alarm)
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void aPolicyThatIsMuchWorseIsStoppedAndAServesOn_world1() throws IOException {
    Outcome outcome = trials(40, 20, 1).withWorse(1);
    assertThat(outcome.harm()).as(outcome.spread().words()).isTrue();
    assertThat(outcome.gain()).isFalse();
    assertThat(outcome.pairs()).as("nothing is measured once it is stopped").isLessThan(26);
  }
}
