package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.learning.AgentKind;
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
