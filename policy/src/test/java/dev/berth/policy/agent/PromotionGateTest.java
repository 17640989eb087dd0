package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.replay.Transition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which weights may serve. The first feature of a candidate is its reward. */
final class PromotionGateTest {
  private static final AgentConfig CONFIG =
      AgentConfig.defaults(AgentKind.DQN).alone().with(p -> p.hidden = List.of());
  private static final PromotionGate GATE = new PromotionGate(CONFIG);

  @Test
  void betterWeightsArePromoted_seed1() {
    assertThat(GATE.judge(weights(-1), weights(1), heldOut(100)).promote()).isTrue();
  }

  @Test
  void refit_worse_is_not_promoted() {
    PromotionGate.Verdict verdict = GATE.judge(weights(1), weights(-1), heldOut(100));
    assertThat(verdict.promote()).isFalse();
    assertThat(verdict.reason()).contains("loses");
  }

  @Test
  void aResidualMustGainClearly_seed1() {
    PromotionGate gate =
        new PromotionGate(AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of()));
    assertThat(gate.judge(weights(0), weights(1), heldOut(100)).promote()).isTrue();
    // The second feature says nothing of the reward: for an agent alone that is no harm.
    assertThat(gate.judge(weights(0), weights(1, 1), heldOut(100)).promote()).isFalse();
    assertThat(GATE.judge(weights(0), weights(1, 1), heldOut(100)).promote()).isTrue();
    PromotionGate lenient =
        new PromotionGate(AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of()), -1);
    assertThat(lenient.judge(weights(0), weights(1, 1), heldOut(100)).promote()).isTrue();
  }

  @Test
  void weightsThatChooseTheSameGainNothingAndAreKeptBack() {
    AgentConfig residual = AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of());
    for (double standardErrors : new double[] {0, 2}) {
      PromotionGate gate = new PromotionGate(residual, standardErrors);
      PromotionGate.Verdict verdict = gate.judge(weights(1), weights(1), heldOut(100));
      assertThat(verdict.promote()).isFalse();
      assertThat(verdict.reason()).contains("gains 0.0000 +- 0.0000").contains("not clear");
    }
  }

  @Test
  void policy_does_not_collapse() {
    PromotionGate.Verdict verdict = GATE.judge(weights(-1), weights(0), heldOut(100));
    assertThat(verdict.promote()).isFalse();
    assertThat(verdict.reason()).contains("no longer tell candidates apart");
  }

  @Test
  void tooLittleEvidenceAndBrokenNumbersAreRefused_seed1() {
    assertThat(GATE.judge(weights(-1), weights(1), heldOut(19)).promote()).isFalse();
    assertThat(GATE.judge(weights(-1), weights(Float.NaN), heldOut(100)).reason())
        .contains("not finite");
  }

  private static Weights weights(float first) {
    return weights(0, first);
  }

  private static Weights weights(int feature, float value) {
    NetworkSpec spec = AgentNetwork.spec(CONFIG);
    Map<String, float[]> values = new HashMap<>();
    spec.parameters().forEach(p -> values.put(p.name(), new float[p.size()]));
    values.put("skip.weight", values.get("skip.weight").clone());
    values.get("skip.weight")[feature] = value;
    return new Weights(spec, values);
  }

  private static List<Transition> heldOut(int count) {
    SplittableRandom random = new SplittableRandom(1);
    SplittableRandom noise = new SplittableRandom(2);
    List<Transition> out = new ArrayList<>();
    for (int d = 0; d < count; d++) {
      int width = 4;
      float[] features = new float[width * FeatureSchema.SIZE];
      float[] rewards = new float[width];
      for (int i = 0; i < width; i++) {
        rewards[i] = (float) random.nextDouble();
        features[i * FeatureSchema.SIZE] = rewards[i];
        features[i * FeatureSchema.SIZE + 1] = (float) noise.nextDouble();
      }
      float[] clips = new float[width];
      Arrays.fill(clips, 10);
      boolean[] valid = {true, true, true, true};
      Rows after = new Rows(1, width, features, valid, Rows.noGroups(width));
      Rows before = after.with(new float[features.length]);
      out.add(
          new Transition(before, after, new float[width], new float[width], rewards, clips, 0, 0));
    }
    return out;
  }
}
