package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.evidence.Looks;
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
  private static final int WIDTH = 4;
  private static final AgentConfig CONFIG =
      AgentConfig.defaults(AgentKind.DQN).alone().with(p -> p.hidden = List.of());
  private static final PromotionGate GATE = new PromotionGate(CONFIG);
  private static final AgentConfig RESIDUAL =
      AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of());

  /** Of a first look. */
  private static final double LEVEL = PromotionGate.FALSE_PROMOTIONS / 2;

  @Test
  void betterWeightsArePromoted_seed1() {
    assertThat(GATE.judge(weights(-1), weights(1), heldOut(100), LEVEL).promote()).isTrue();
  }

  @Test
  void refit_worse_is_not_promoted() {
    PromotionGate.Verdict verdict = GATE.judge(weights(1), weights(-1), heldOut(100), LEVEL);
    assertThat(verdict.promote()).isFalse();
    assertThat(verdict.reason()).contains("loses");
  }

  /** The second feature says nothing of the reward. */
  @Test
  void whatIsNoBetterIsKeptBackResidualOrAlone_seed1() {
    for (AgentConfig config : List.of(CONFIG, RESIDUAL)) {
      PromotionGate gate = new PromotionGate(config);
      assertThat(gate.judge(weights(0), weights(1), heldOut(100), LEVEL).promote()).isTrue();
      PromotionGate.Verdict verdict = gate.judge(weights(0), weights(1, 1), heldOut(100), LEVEL);
      assertThat(verdict.promote()).isFalse();
      assertThat(verdict.reason())
          .contains("standard error", "on 100 held-out decisions, not clear: -", "want above 0");
    }
  }

  @Test
  void weightsThatChooseTheSameGainNothingAndAreKeptBack() {
    for (AgentConfig config : List.of(CONFIG, RESIDUAL)) {
      PromotionGate.Verdict verdict =
          new PromotionGate(config).judge(weights(1), weights(1), heldOut(100), LEVEL);
      assertThat(verdict.promote()).isFalse();
      assertThat(verdict.reason())
          .isEqualTo(
              "gains 0.0000 (standard error 0.0000) on 100 held-out decisions, not clear: 0.0000 at the least, want above 0");
    }
  }

  /** Ten decisions of one window rest on the same measurements: they are hardly more than one. */
  @Test
  void decisionsMeasuredInFewWindowsSayLittle() {
    List<HeldOut> inOneWindow =
        heldOut(100).stream().map(h -> new HeldOut(h.transition(), h.owner(), 0)).toList();
    List<HeldOut> ofOneOwner =
        heldOut(100).stream().map(h -> new HeldOut(h.transition(), 7, h.window())).toList();
    assertThat(GATE.judge(weights(-1), weights(1), inOneWindow, LEVEL).promote()).isFalse();
    assertThat(GATE.judge(weights(-1), weights(1), ofOneOwner, LEVEL).promote()).isFalse();
    assertThat(GATE.judge(weights(-1), weights(1), ofOneOwner, LEVEL).reason())
        .endsWith("not clear: of too few owners or times to say how sure that is");
  }

  /**
   * A whole run of learning that never gets better: other weights at every look, judged on the
   * decisions so far, whose rewards share the noise of their window and their owner. Asked at one
   * level every time the gate promotes in a fifth of the runs.
   */
  @Test
  void weightsThatAreNoBetterArePromotedInAtMostFivePercentOfWholeRuns_seeds1To100() {
    int runs = 100;
    int promoted = 0;
    int atOneLevel = 0;
    for (int seed = 1; seed <= runs; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<HeldOut> decisions = noise(400, random);
      Looks looks = PromotionGate.looks();
      boolean passed = false;
      boolean naive = false;
      for (int seen = 1; seen <= decisions.size(); seen++) {
        if (looks.due(seen, seen)) {
          Weights next = weights(random.nextInt(1, 4), random.nextBoolean() ? 1 : -1);
          List<HeldOut> soFar = decisions.subList(0, seen);
          passed |= GATE.judge(weights(4, 1), next, soFar, looks.take(seen)).promote();
          naive |= GATE.judge(weights(4, 1), next, soFar, 0.05).promote();
        }
      }
      promoted += passed ? 1 : 0;
      atOneLevel += naive ? 1 : 0;
    }
    assertThat(promoted).isLessThanOrEqualTo(runs / 20);
    assertThat(atOneLevel).as("or this test could not fail").isGreaterThan(runs / 10);
  }

  @Test
  void policy_does_not_collapse() {
    PromotionGate.Verdict verdict = GATE.judge(weights(-1), weights(0), heldOut(100), LEVEL);
    assertThat(verdict.promote()).isFalse();
    assertThat(verdict.reason()).contains("no longer tell candidates apart");
  }

  @Test
  void tooLittleEvidenceAndBrokenNumbersAreRefused_seed1() {
    assertThat(GATE.judge(weights(-1), weights(1), heldOut(19), LEVEL).promote()).isFalse();
    assertThat(GATE.judge(weights(-1), weights(Float.NaN), heldOut(100), LEVEL).reason())
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

  private static List<HeldOut> heldOut(int count) {
    SplittableRandom random = new SplittableRandom(1);
    SplittableRandom noise = new SplittableRandom(2);
    List<HeldOut> out = new ArrayList<>();
    for (int d = 0; d < count; d++) {
      float[] features = new float[WIDTH * FeatureSchema.SIZE];
      float[] rewards = new float[WIDTH];
      for (int i = 0; i < WIDTH; i++) {
        rewards[i] = (float) random.nextDouble();
        features[i * FeatureSchema.SIZE] = rewards[i];
        features[i * FeatureSchema.SIZE + 1] = (float) noise.nextDouble();
      }
      out.add(heldOut(features, rewards, d % 50, d / 4));
    }
    return out;
  }

  /** Features that say nothing; rewards of nodes that are alike within a window and an owner. */
  private static List<HeldOut> noise(int count, SplittableRandom random) {
    List<HeldOut> out = new ArrayList<>();
    double[][] ofOwner = new double[20][WIDTH];
    for (double[] each : ofOwner) {
      Arrays.setAll(each, i -> random.nextGaussian());
    }
    float[] ofWindow = new float[WIDTH * FeatureSchema.SIZE];
    double[] shared = new double[WIDTH];
    for (int d = 0; d < count; d++) {
      if (d % 5 == 0) {
        Arrays.setAll(shared, i -> random.nextGaussian());
        for (int i = 0; i < ofWindow.length; i++) {
          ofWindow[i] = (float) random.nextDouble();
        }
      }
      int owner = random.nextInt(ofOwner.length);
      float[] rewards = new float[WIDTH];
      for (int i = 0; i < WIDTH; i++) {
        rewards[i] = (float) (shared[i] + 0.3 * ofOwner[owner][i] + random.nextGaussian());
      }
      out.add(heldOut(ofWindow.clone(), rewards, owner, d / 5));
    }
    return out;
  }

  private static HeldOut heldOut(float[] features, float[] rewards, int owner, long window) {
    float[] clips = new float[WIDTH];
    Arrays.fill(clips, 10);
    boolean[] valid = {true, true, true, true};
    Rows after = new Rows(1, WIDTH, features, valid, Rows.noGroups(WIDTH));
    Rows before = after.with(new float[features.length]);
    return new HeldOut(
        new Transition(before, after, new float[WIDTH], new float[WIDTH], rewards, clips, 0, 0),
        owner,
        window);
  }
}
