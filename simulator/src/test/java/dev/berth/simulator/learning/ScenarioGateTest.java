package dev.berth.simulator.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.PromotionGate.Verdict;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** No candidate serves that is clearly worse on the fixed scenarios, whatever it learned from. */
class ScenarioGateTest {
  /** A clip that leaves room for harm: at the default even the worst correction costs 2 %. */
  private static final AgentConfig DQN =
      AgentConfig.defaults(AgentKind.DQN).with(p -> p.clip = 0.05);

  private static final Weights BASE = AgentNetwork.initial(DQN, new SplittableRandom(0));

  /** Shared, so that the base plays once. */
  private static final ScenarioGate GATE = new ScenarioGate(DQN, Duration.ofMinutes(5));

  @Test
  void refit_worse_is_not_promoted() throws Exception {
    Verdict verdict = GATE.judge(BASE, likesUnevenNodes());
    assertThat(verdict.promote()).as(verdict.reason()).isFalse();
    assertThat(verdict.reason()).contains("unequal-80-l30", "steady-50 +");
  }

  @Test
  void aCandidateThatPlacesLikeTheServingModelIsNotWorse() throws Exception {
    Weights same = Weights.random(BASE.spec(), new SplittableRandom(7)).withZeroOutputs();
    Verdict verdict = GATE.judge(BASE, same);
    assertThat(verdict.promote()).as(verdict.reason()).isTrue();
    assertThat(verdict.reason()).contains("+0.0 +- 0.0 %", "over 3 seeds");
  }

  @Test
  void whenTimeIsShortNothingIsPromoted() throws Exception {
    ScenarioGate gate = new ScenarioGate(DQN, Duration.ofMillis(600));
    Verdict first = gate.judge(BASE, likesUnevenNodes());
    assertThat(first.promote()).isFalse();
    assertThat(first.reason()).contains("within 0.6 s", "trainer.scenario-budget");
  }

  @Test
  void anInterruptEndsTheTrialAtOnce() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> GATE.judge(BASE, likesUnevenNodes()))
        .isInstanceOf(InterruptedException.class);
  }

  /** Values a node by how far its load is from the mean: the opposite of what is wanted. */
  private static Weights likesUnevenNodes() {
    Map<String, float[]> values = new HashMap<>();
    BASE.spec().parameters().forEach(p -> values.put(p.name(), new float[p.size()]));
    int width = DQN.architecture().hidden().get(0);
    int deviation = FeatureSchema.names().indexOf("cpu0.deviation");
    float[] first = values.get("layer0.weight");
    float[] second = values.get("layer1.weight");
    float[] out = values.get("out.weight");
    for (int unit = 0; unit < 2; unit++) {
      first[deviation * width + unit] = unit == 0 ? 1 : -1;
      second[unit * width + unit] = 1;
      out[unit] = 1000;
    }
    return new Weights(BASE.spec(), values);
  }
}
