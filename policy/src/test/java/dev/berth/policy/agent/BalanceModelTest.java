package dev.berth.policy.agent;

import static dev.berth.policy.Given.resealed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.reward.Rewards;
import dev.berth.policy.tensor.Adam;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BalanceModelTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);

  @ParameterizedTest(name = "{0}, seed 1")
  @EnumSource(AgentKind.class)
  void whatIsReadIsWhatWasWritten(AgentKind agent) {
    BalanceModel model = model(agent);
    BalanceModel read = BalanceModel.decode(model.encode(), AgentConfig.defaults(agent));
    assertThat(read.weights()).isEqualTo(model.weights());
    assertThat(read.config()).isEqualTo(model.config());
    assertThat(read.encode()).isEqualTo(model.encode());
  }

  @Test
  void feature_schema_mismatch_refused() {
    byte[] bytes = model(AgentKind.DQN).encode();
    int at = indexOf(bytes, FeatureSchema.hash());
    bytes[at + Long.BYTES - 1] ^= 1;
    assertThatThrownBy(() -> BalanceModel.decode(resealed(bytes), DQN))
        .hasMessageContaining("other features");
  }

  @Test
  void aModelForAnotherAgentOrBaseIsRefused() {
    byte[] bytes = model(AgentKind.DQN).encode();
    assertThatThrownBy(() -> BalanceModel.decode(bytes, AgentConfig.defaults(AgentKind.AC)))
        .hasMessageContaining("is for agent dqn, not ac");
    assertThatThrownBy(() -> BalanceModel.decode(bytes, DQN.alone()))
        .hasMessageContaining("corrects base 'predict-then-greedy/4/usage'");
  }

  @Test
  void everyDamagedByteIsNoticed() {
    byte[] bytes = model(AgentKind.DQN).encode();
    for (int i = 0; i < bytes.length; i += 97) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= 4;
      assertThatThrownBy(() -> BalanceModel.decode(damaged, DQN))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (int length : new int[] {0, 7, 20, bytes.length - 1}) {
      assertThatThrownBy(() -> BalanceModel.decode(Arrays.copyOf(bytes, length), DQN))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_model_that_sees_other_terms_of_the_reward_is_refused() {
    AgentConfig packs = DQN.with(p -> p.rewards = Rewards.parse("pack"));
    Weights weights = AgentNetwork.initial(packs, new SplittableRandom(1));
    byte[] bytes =
        BalanceModel.of(packs, weights, new Adam(weights.spec(), 1e-3).moments(), 0, 0).encode();
    assertThat(BalanceModel.decode(bytes, packs).config().task().rewards())
        .isEqualTo(packs.task().rewards());
    assertThatThrownBy(() -> BalanceModel.decode(bytes, DQN))
        .hasMessageContaining("the model sees the rewards pack=1.0, not balance=1.0,overload=10.0");
  }

  @Test
  void a_model_of_another_task_is_refused() {
    assertThatThrownBy(() -> BalanceModel.decode(ValueModel.shipped().encode(), DQN))
        .hasMessageContaining("was trained for task 'gpu', not 'balance'");
  }

  @Test
  void a_network_that_is_not_what_the_settings_want_is_refused() {
    AgentConfig other = DQN.with(p -> p.hidden = List.of(8, 4));
    Weights weights = Weights.random(AgentNetwork.spec(DQN), new SplittableRandom(1));
    byte[] bytes =
        BalanceModel.of(other, weights, new Adam(weights.spec(), 1e-3).moments(), 0, 0).encode();
    assertThatThrownBy(() -> BalanceModel.decode(bytes)).hasMessageContaining("its settings want");
  }

  private static BalanceModel model(AgentKind agent) {
    AgentConfig config = AgentConfig.defaults(agent).with(p -> p.hidden = List.of(8, 4));
    NetworkSpec spec = AgentNetwork.spec(config);
    return BalanceModel.of(
        config,
        Weights.random(spec, new SplittableRandom(1)),
        new Adam(spec, 1e-3).moments(),
        3,
        4);
  }

  private static int indexOf(byte[] bytes, long value) {
    for (int i = 0; ; i++) {
      if (ByteBuffer.wrap(bytes, i, Long.BYTES).getLong() == value) {
        return i;
      }
    }
  }
}
