package dev.berth.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.agent.AgentModel;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.learning.AgentKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentTrainerTest {
  private static final GpuTrace TRACE = SampleTrace.small();

  private static AgentModel trained(AgentKind kind, int episodes, int updates, long seed) {
    AgentTrainer.Config config =
        new AgentTrainer.Config(
            kind, 1.3, episodes, 8, updates, 96, 5e-3, 0.05, List.of(1000L, 1001L), seed);
    return new AgentTrainer(config, Map.of(), line -> {}).train(List.of(TRACE)).model();
  }

  private static FillUpComparison againstRandom(AgentModel model) {
    GpuPolicies factory = new GpuPolicies(ValueModel.shipped(), Map.of("model:it", model));
    FillUp fillUp = new FillUp(TRACE, 1.3, TieRule.RANDOM);
    List<FillUpResult> learned = new ArrayList<>();
    List<FillUpResult> random = new ArrayList<>();
    for (long seed = 1; seed <= 5; seed++) {
      learned.add(fillUp.run(factory.make("model:it", TRACE, seed), seed));
      random.add(fillUp.run(factory.make("random", TRACE, seed), seed));
    }
    return FillUpComparison.of(learned, random);
  }

  @ParameterizedTest(name = "{0}, seed 3")
  @EnumSource(value = AgentKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PLAIN_DQN")
  void a_decomposed_agent_beats_random_placement_after_a_few_fill_ups(AgentKind kind) {
    FillUpComparison outcome = againstRandom(trained(kind, 6, 240, 3));
    assertThat(outcome.policy()).isEqualTo("model:it");
    assertThat(outcome.gain() - outcome.halfWidth()).isGreaterThan(1);
  }

  /** How well is a matter for docs/gpu.md. */
  @Test
  void a_plain_dqn_trains_and_places_every_pod_that_fits_seed_3() {
    FillUpComparison outcome = againstRandom(trained(AgentKind.PLAIN_DQN, 4, 40, 3));
    assertThat(outcome.gain()).isFinite();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(AgentKind.class)
  void equal_seeds_give_equal_weights_and_others_do_not(AgentKind kind) {
    AgentModel once = trained(kind, 1, 10, 4);
    assertThat(trained(kind, 1, 10, 4).weights()).isEqualTo(once.weights());
    assertThat(trained(kind, 1, 10, 5).weights()).isNotEqualTo(once.weights());
    assertThat(once.weights().finite()).isTrue();
  }

  @Test
  void a_training_without_episodes_is_refused() {
    assertThatThrownBy(() -> trained(AgentKind.DQN, 0, 10, 4)).hasMessageContaining("--episodes");
  }
}
