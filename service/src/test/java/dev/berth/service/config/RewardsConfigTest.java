package dev.berth.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.reward.Rewards;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RewardsConfigTest {
  private static ServiceConfig load(Map<String, String> environment) {
    return ConfigLoader.load(null, environment);
  }

  @Test
  void the_default_is_the_cost_that_the_leaderboard_reports() {
    assertThat(load(Map.of()).trainer().rewards().rewards()).isEqualTo(Rewards.USAGE);
  }

  @Test
  void every_term_has_a_key() {
    assertThat(Arrays.stream(RewardsConfig.class.getRecordComponents()).map(Binder::key).toList())
        .isEqualTo(Rewards.names());
    assertThat(
            load(Map.of("BERTH_TRAINER_REWARDS_PACK", "0.5", "BERTH_TRAINER_REWARDS_BALANCE", "0"))
                .trainer()
                .rewards()
                .rewards())
        .isEqualTo(Rewards.parse("overload=10,pack=0.5"));
  }

  @Test
  void no_weight_at_all_stops_the_start() {
    assertThatThrownBy(
            () ->
                load(
                    Map.of(
                        "BERTH_TRAINER_REWARDS_BALANCE", "0",
                        "BERTH_TRAINER_REWARDS_OVERLOAD", "0")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("trainer.rewards need a term");
  }
}
