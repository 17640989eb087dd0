package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.reward.Rewards;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewardsStartTest {
  @TempDir private Path folder;

  /** The model that ships knows nothing of racks: the base alone serves until one is learned. */
  @Test
  void a_service_with_a_reward_of_its_own_starts_from_the_base() {
    try (Service service =
        Given.service(
            folder,
            Map.of("BERTH_SCORING_POLICY", "dqn", "BERTH_TRAINER_REWARDS_LOCALITY", "0.5"))) {
      LearnedPolicy policy = (LearnedPolicy) service.scorer().serving().policy();
      assertThat(policy.config().task().rewards())
          .isEqualTo(Rewards.parse("balance=1,overload=10,locality=0.5"));
      assertThat(policy.weights().spec()).isEqualTo(AgentNetwork.spec(policy.config()));
    }
  }
}
