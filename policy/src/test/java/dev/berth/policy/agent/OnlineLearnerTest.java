package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.usage.UsageConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class OnlineLearnerTest {
  private static final AgentConfig DQN =
      AgentConfig.defaults(AgentKind.DQN).with(p -> p.learningStarts = 4);
  private final ClusterState books = new ClusterState(UsageConfig.DEFAULT);

  @Test
  void whatWaitsIsBoundedInBytesAndWhatCameFirstIsMeasuredFirst() {
    OnlineLearner learner = learner(DQN, 1 << 20, decision -> {});
    for (int i = 0; i < 500; i++) {
      learner.placed(open(300, "d" + i), 0, i);
    }
    OnlineLearner.Progress p = learner.progress();
    assertThat(p.waiting()).isBetween(40, 200);
    assertThat(p.dropped()).isEqualTo(500 - p.waiting());
    learner.advance(1e6, books); // nothing measured, but nothing waits any more
    learner.placed(open(300, "later"), 0, 1e6);
    assertThat(learner.progress().waiting()).isEqualTo(1);
  }

  @Test
  void ofFiveThousandCandidatesTheBestAreKeptAndOthersAtRandom_seed1() {
    OpenDecision open = open(5000, "d");
    assertThat(open.names()).hasSize(OpenDecision.MAX_CANDIDATES).doesNotHaveDuplicates();
    for (int i = 0; i < 32; i++) {
      assertThat(open.indexOf("node-" + (4999 - i))).as("one of the best").isNotNegative();
    }
    for (int first : new int[] {17, 170, 1700}) { // any one of them may be kept by chance
      assertThat(open(DQN, 5000, "d", first).indexOf("node-" + first))
          .as("put first to learn from it")
          .isNotNegative();
    }
    assertThat(Arrays.stream(open.names()).filter(n -> n.length() == 8).count())
        .as("of the 900 in the middle of the worst")
        .isBetween(20L, 80L);
    assertThat(open.bytes()).isLessThan(100_000);
    int row = open.indexOf("node-4990");
    assertThat(open.cpuMilli()[row]).isEqualTo(1000 + 4990);
    assertThat(open.rows().before()).hasSize(open.names().length * FeatureSchema.SIZE);
  }

  @Test
  void aTransitionThatIsNotFiniteIsSkippedAndCounted() {
    AgentConfig immediate = DQN.with(p -> p.objective = Objective.REQUESTS);
    OnlineLearner learner =
        OnlineLearner.from(immediate, AgentNetwork.initial(immediate, random()), random());
    for (int i = 0; i < 20; i++) {
      OpenDecision open = open(immediate, 4, "d" + i);
      if (i % 2 == 1) {
        open.rows().before()[FeatureSchema.SIZE] = Float.NaN; // of one candidate
      }
      learner.placed(open, 0, i);
    }
    assertThat(learner.progress().skipped()).isEqualTo(10);
    assertThat(learner.train(5)).isEqualTo(5);
    assertThat(learner.progress().steps()).isEqualTo(5);
    assertThat(learner.weights().finite()).isTrue();
  }

  /** Every number of them is finite, but what the network makes of them is not. */
  @Test
  void aBatchWithoutAFiniteLossIsSkippedAndCountedAndTheNextOneIsLearnedFrom_seed1() {
    AgentConfig immediate =
        DQN.with(
            p -> {
              p.objective = Objective.REQUESTS;
              p.batchSize = 2;
            });
    OnlineLearner learner =
        OnlineLearner.from(immediate, AgentNetwork.initial(immediate, random()), random());
    for (int i = 0; i < 20; i++) {
      OpenDecision open = open(immediate, 4, "d" + i);
      if (i % 4 == 1) {
        Arrays.fill(open.rows().before(), Float.MAX_VALUE);
      }
      learner.placed(open, 0, i);
    }
    assertThat(learner.progress().skipped()).isZero();
    assertThat(learner.train(40)).isEqualTo(40);
    OnlineLearner.Progress p = learner.progress();
    assertThat(p.skipped()).isBetween(5L, 35L);
    assertThat(p.steps()).isEqualTo(40 - p.skipped());
    assertThat(learner.weights().finite()).isTrue();
  }

  /** The scheduler draws by lot among equal scores, and other scorers have their say. */
  @Test
  void ofTiesAnyWasRankedFirstAndTheRewardIsThatOfTheOneThatWasTaken() {
    AgentConfig immediate = DQN.with(p -> p.objective = Objective.REQUESTS);
    List<Settled> settled = new ArrayList<>();
    OnlineLearner learner = learner(immediate, 1 << 20, settled::add);
    Candidates c = Given.nodes(4, 64_000);
    c.cpuRequestedMilli()[0] = 10_000;
    c.cpuRequestedMilli()[3] = 20_000;
    double[] tie = {0, 1, 1, 0};
    double[] other = {1, 0, 0, 0};
    learner.placed(open(immediate, c, tie), 1, 0);
    learner.placed(open(immediate, c, tie), 2, 1);
    learner.placed(open(immediate, c, tie), 3, 2);
    learner.placed(open(immediate, c, other), 0, 3);
    assertThat(settled).extracting(Settled::ranked).containsExactly(true, true, false, true);
    assertThat(settled.get(0).overBase()).as("the base ties for both").isZero();
    assertThat(settled.get(1).overBase()).isZero();
    assertThat(settled.get(3).overBase()).isNegative();
    assertThat(settled.get(2).overBase()).isLessThan(settled.get(3).overBase());
    assertThat(settled.get(2).reward()).isLessThan(settled.get(3).reward()).isNegative();
  }

  /** The base would not have put the pod there either, see {@code MemoryLimit}. */
  @Test
  void aPodIsNotHeldAgainstAnIdlerNodeWhoseMemoryIsFull() {
    AgentConfig immediate = DQN.with(p -> p.objective = Objective.REQUESTS);
    List<Settled> settled = new ArrayList<>();
    OnlineLearner learner = learner(immediate, 1 << 20, settled::add);
    Candidates c = Given.nodes(4, 64_000);
    Arrays.setAll(c.cpuRequestedMilli(), i -> i == 0 ? 0 : 20_000);
    for (int i = 0; i < 4; i++) {
      double held = (i == 0 ? 8.8 : 4) * Given.GIB;
      books.sample(new NodeSample("node-" + i, -30, 0, 10, held, Double.NaN, Double.NaN), 0);
    }
    OpenDecision open = open(immediate, c, new double[] {0, 1, 1, 1});
    learner.placed(open, 1, 0);
    assertThat(settled.get(0).reward()).as("the first would have earned more").isNegative();
    assertThat(settled.get(0).overBase()).as("and the base did not take it").isZero();
    for (int i = 1; i < 4; i++) {
      assertThat(open.base()[0]).as("nor does the gate").isLessThan(open.base()[i]);
    }
  }

  /**
   * What is measured of each node for five minutes is noise, the same for all decisions of these
   * minutes: whoever has learned some of them by heart seems to gain by the others.
   */
  @Test
  void noiseThatWasLearnedByHeartIsNoGain_seed1() {
    AgentConfig config = DQN.alone();
    SplittableRandom random = random();
    OnlineLearner learner =
        OnlineLearner.from(config, AgentNetwork.initial(config, random), random.split());
    Weights initial = learner.weights();
    for (int window = 0; window < 200; window++) {
      Candidates c = Given.nodes(6, 64_000);
      Arrays.setAll(c.cpuRequestedMilli(), i -> random.nextInt(60_000));
      double[] noise = new double[6];
      Arrays.setAll(noise, i -> random.nextGaussian());
      for (int i = 0; i < 12; i++) {
        String owner = "shop/Deployment/" + random.nextInt(30);
        Pod pod = Pod.of("pod", owner, 500 + random.nextInt(500), 1);
        learner.imitate(new Decision(300 * window + 25 * i, pod, c, books), noise, 0);
        learner.train(3);
      }
    }
    PromotionGate.Verdict verdict =
        new PromotionGate(config)
            .judge(initial, learner.weights(), learner.heldOut(), PromotionGate.FALSE_PROMOTIONS);
    assertThat(verdict.estimate().decisions()).isEqualTo(240);
    assertThat(verdict.promote()).as(verdict.reason()).isFalse();
  }

  /**
   * Two decisions are measured at the same time in part if less than a window lies between them.
   */
  @Test
  void nothingIsLearnedOfWhatSharesAMeasurementWithAHeldOutDecision() {
    AgentConfig config = DQN.alone().with(p -> p.bufferSize = 100_000);
    OnlineLearner learner =
        OnlineLearner.from(config, AgentNetwork.initial(config, random()), random());
    List<Double> learned = new ArrayList<>();
    List<Double> heldOut = new ArrayList<>();
    for (double at = 0; at < 60_000; at += 20) {
      int before = learner.progress().remembered();
      long heldBefore = learner.everHeldOut();
      imitate(learner, at);
      if (learner.everHeldOut() > heldBefore) {
        heldOut.add(at);
      } else if (learner.progress().remembered() > before) {
        learned.add(at);
      }
    }
    assertThat(learned).hasSize(2400);
    assertThat(heldOut).hasSize(300);
    for (double one : heldOut) {
      assertThat(learned).noneMatch(other -> Math.abs(one - other) < 300);
    }
  }

  /** However many decisions there are in a window, few windows tell little. */
  @Test
  void whatIsHeldOutIsOfManyWindowsHoweverManyDecisionsThereAre() {
    AgentConfig config = DQN.alone();
    OnlineLearner learner =
        OnlineLearner.from(config, AgentNetwork.initial(config, random()), random());
    for (int i = 0; i < 20_000; i++) {
      imitate(learner, 6 * i);
    }
    assertThat(learner.heldOut()).hasSize(1000);
    assertThat(learner.heldOut().stream().map(HeldOut::window).distinct()).hasSize(40);
  }

  private void imitate(OnlineLearner learner, double at) {
    Candidates c = Given.nodes(2, 64_000);
    c.cpuRequestedMilli()[0] = 30_000;
    Pod pod = Pod.of("pod", "shop/Pod/pod", 500, 1);
    learner.imitate(new Decision(at, pod, c, books), new double[] {0, 1}, 1);
  }

  private OpenDecision open(AgentConfig config, Candidates c, double[] preferences) {
    Decision d = new Decision(0, Pod.of("pod", "shop/Pod/pod", 500, 1), c, books);
    LearnedPolicy policy = new LearnedPolicy(config, AgentNetwork.initial(config, random()));
    return OpenDecision.of(
        config,
        new Origin("d", "shop/Pod/pod", 1, true),
        c,
        policy.explain(d).state(),
        preferences,
        -1,
        UnaryOperator.identity(),
        random());
  }

  private static SplittableRandom random() {
    return new SplittableRandom(1);
  }

  private static OnlineLearner learner(
      AgentConfig config, long bytes, Consumer<Settled> onSettled) {
    return new OnlineLearner(
        config,
        AgentNetwork.initial(config, random()),
        new Adam(AgentNetwork.spec(config), config.learning().learningRate()),
        random(),
        bytes,
        onSettled,
        () -> {});
  }

  private OpenDecision open(int nodes, String id) {
    return open(DQN, nodes, id);
  }

  private OpenDecision open(AgentConfig config, int nodes, String id) {
    return open(config, nodes, id, nodes > 17 ? 17 : -1);
  }

  private OpenDecision open(AgentConfig config, int nodes, String id, int first) {
    Candidates c = Given.nodes(nodes, 64_000);
    Arrays.setAll(c.cpuMilli(), i -> 1000 + i);
    Decision d = new Decision(0, Pod.of("pod", "shop/Pod/pod", 500, 1), c, books);
    LearnedPolicy policy = new LearnedPolicy(config, AgentNetwork.initial(config, random()));
    double[] preferences = new double[nodes];
    Arrays.setAll(preferences, i -> i);
    return OpenDecision.of(
        config,
        new Origin(id, "shop/Pod/pod", 1, true),
        c,
        policy.explain(d).state(),
        preferences,
        first,
        UnaryOperator.identity(),
        random());
  }
}
