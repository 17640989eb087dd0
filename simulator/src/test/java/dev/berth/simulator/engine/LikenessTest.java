package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.usage.Likeness;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whether replicas are alike is told by which belief forecasts better. */
final class LikenessTest {
  private static final Path SCENARIOS =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");

  @Test
  void replicas_that_differ_by_a_factor_of_two_are_believed_to_differ_seed_1() throws IOException {
    assertThat(believed("worlds/unlike-steady-60"))
        .startsWith(Likeness.ALIKE)
        .endsWith(Likeness.UNLIKE);
  }

  @Test
  void replicas_that_hardly_differ_are_believed_to_be_alike_seed_1() throws IOException {
    assertThat(believed("train/n10-steady-50")).containsOnly(Likeness.ALIKE);
  }

  /** What was believed at every decision. */
  private static List<Likeness> believed(String scenario) throws IOException {
    List<Likeness> all = new ArrayList<>();
    new Simulation(
            ScenarioFile.read(SCENARIOS.resolve(scenario + ".yaml")),
            1,
            context -> Policies.byName("ptg-likeness", new SplittableRandom(1)))
        .listen(
            new SimulationListener() {
              @Override
              public void decided(Decision d, double[] preferences, int chosen) {
                all.add(d.state().likeness());
              }
            })
        .run();
    return all;
  }
}
