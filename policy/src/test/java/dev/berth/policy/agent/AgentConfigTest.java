package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.reward.Rewards;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class AgentConfigTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);

  @ParameterizedTest
  @EnumSource(AgentKind.class)
  void whatIsWrittenReadsBack(AgentKind kind) {
    AgentConfig config =
        AgentConfig.defaults(kind)
            .with(
                p -> {
                  p.hidden = List.of(8, 4);
                  p.learningRate = 3e-4;
                  p.clip = 0.02;
                });
    assertThat(AgentConfig.parse(config.text())).isEqualTo(config);
  }

  @Test
  void everyParameterIsWrittenOnce() {
    long parameters = Parameters.class.getFields().length;
    assertThat(DQN.text().lines().map(l -> l.substring(0, l.indexOf('='))).distinct())
        .hasSize((int) parameters);
  }

  @Test
  void filesOfTheTimeWhenThereWasOneRewardAreRead() {
    String without = DQN.text().replaceAll("rewards=[^\n]*\n", "");
    assertThat(AgentConfig.parse(without).task().rewards()).isEqualTo(Rewards.USAGE);
  }

  @Test
  void anUnknownParameterIsRefusedWithTheNearestName() {
    assertThatThrownBy(() -> AgentConfig.parse(DQN.text() + "\nclipp=0.1"))
        .hasMessageContaining("unknown parameter 'clipp=0.1'")
        .hasMessageContaining("did you mean clip?");
  }

  @ParameterizedTest
  @CsvSource({
    "residual=true, residual=yes, true or false",
    "gamma=0.0, gamma=none, none",
    "kind=DQN, kind=DQM, one of",
    "batchSize=32, batchSize=3.5, 3.5"
  })
  void aValueThatIsNoneIsRefusedByItsName(String line, String wrong, String says) {
    assertThat(DQN.text()).contains(line);
    assertThatThrownBy(() -> AgentConfig.parse(DQN.text().replace(line, wrong)))
        .hasMessageContaining("the parameter " + wrong + " is not valid")
        .hasMessageContaining(says);
  }

  @Test
  void aMissingParameterIsNamed() {
    assertThatThrownBy(() -> AgentConfig.parse(DQN.text().replace("tau=1.0\n", "")))
        .hasMessageContaining("the parameters lack [tau]");
  }

  @Test
  void aReplayThatAlikeDecisionsCannotFillUpToTheStartIsRefusedWithTheFix() {
    assertThatThrownBy(() -> DQN.with(p -> p.bufferSize = 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bufferSize=1000 keeps 50")
        .hasMessageContaining("bufferSize of at least 4000")
        .hasMessageContaining("learningStarts of at most 50");
    assertThatCode(() -> DQN.with(p -> p.bufferSize = 4000)).doesNotThrowAnyException();
  }
}
