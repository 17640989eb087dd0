package dev.berth.policy.gpu.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.agent.AgentLearner.LearningConfig;
import dev.berth.policy.gpu.agent.ClusterView.Inputs;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Forward;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two nodes, one decision: what an action earns and whether the agent learns it. */
class AgentLearnerTest {
  private static final long GIB = 1L << 30;
  private static final PodRequests HALF =
      new PodRequests(1_000, GIB, new GpuRequest(1, 500, List.of()));
  private static final PodRequests WHOLE =
      new PodRequests(1_000, GIB, new GpuRequest(1, 1000, List.of()));
  private static final List<PodRequests> PODS = List.of(HALF, WHOLE);

  /** Half a card is broken already, or a whole card must be; there is CPU for one pod each. */
  private static GpuNode[] cluster() {
    return new GpuNode[] {
      GpuNode.observed("whole", "T4", new int[] {1000}, 8_000, 64 * GIB, 1_000, 64 * GIB),
      GpuNode.observed("broken", "T4", new int[] {500}, 8_000, 64 * GIB, 1_000, 64 * GIB)
    };
  }

  private static AgentLearner learner(AgentKind kind) {
    return AgentLearner.of(kind, new LearningConfig(8, 48, 0.1, new SplittableRandom(5)));
  }

  /** The pod goes where the agent explores; then a whole pod takes the whole card if it is left. */
  private static void episodes(AgentLearner learner, int count) {
    Fragmentation fragmentation = new Fragmentation(TypicalPods.of(PODS, 1));
    for (int i = 0; i < count; i++) {
      GpuNode[] nodes = cluster();
      AgentPolicy policy =
          learner.model().policy("a", WorkloadProfile.of(PODS, Arrays.asList(nodes)));
      AgentLearner.Episode episode = learner.begin(policy, nodes, fragmentation);
      int row = episode.choose(HALF, new double[] {0, 0}, 0);
      nodes[row].place(HALF, 1);
      episode.placed(row);
      if (row == 1) {
        episode.choose(WHOLE, new double[] {0, Double.NaN}, 0);
        nodes[0].place(WHOLE, 1);
        episode.placed(0);
      }
      episode.end();
    }
  }

  @ParameterizedTest(name = "{0}, seed 5")
  @EnumSource(AgentKind.class)
  void the_action_changes_the_reward_and_every_agent_learns_to_spare_the_whole_card(
      AgentKind kind) {
    AgentLearner learner = learner(kind);
    episodes(learner, 100);
    for (int i = 0; i < 200; i++) {
      learner.update(5e-3);
    }
    GpuNode[] nodes = cluster();
    double[] scores = new double[2];
    learner
        .model()
        .policy("a", WorkloadProfile.of(PODS, Arrays.asList(nodes)))
        .score(HALF, nodes, new int[] {0, 1}, 2, scores);
    assertThat(scores[1]).isGreaterThan(scores[0] + 0.05);
  }

  @Test
  void the_value_of_a_node_is_minus_what_stays_idle_on_it_seed_5() {
    AgentLearner learner = learner(AgentKind.DQN);
    episodes(learner, 100);
    for (int i = 0; i < 600; i++) {
      learner.update(5e-3);
    }
    GpuNode[] nodes = cluster();
    ClusterView view =
        learner.model().policy("a", WorkloadProfile.of(PODS, Arrays.asList(nodes))).view();
    // Broken first (half of the runs): nothing stays idle. Else half a card on each node.
    assertThat(value(learner, view.inputs(nodes[0]))).isCloseTo(-0.25, within(0.1));
    assertThat(value(learner, view.inputs(nodes[0], 1, HALF))).isCloseTo(-0.5, within(0.1));
    assertThat(value(learner, view.inputs(nodes[0], 1, WHOLE))).isCloseTo(0, within(0.1));
    assertThat(value(learner, view.inputs(nodes[1]))).isCloseTo(-0.25, within(0.1));
  }

  private static double value(AgentLearner learner, Inputs inputs) {
    return Forward.run(learner.model().weights(), Inputs.rows(List.of(inputs)))[0];
  }

  @Test
  void exploring_never_chooses_where_the_pod_does_not_fit_and_is_greedy_when_told_seed_8() {
    double[] scores = {Double.NaN, 0.1, 0.3, Double.NaN, 0.2};
    SplittableRandom random = new SplittableRandom(8);
    int[] greedy = new int[5];
    int[] soft = new int[5];
    int[] any = new int[5];
    for (int i = 0; i < 3000; i++) {
      greedy[Exploring.epsilonGreedy(scores, 0, random)]++;
      soft[Exploring.softmax(scores, 0.1, random)]++;
      any[Exploring.epsilonGreedy(scores, 1, random)]++;
    }
    assertThat(greedy).containsExactly(0, 0, 3000, 0, 0);
    // exp(1), exp(3) and exp(2) in proportion.
    assertThat(soft[0] + soft[3]).isZero();
    assertThat(soft[1]).isCloseTo(270, within(60));
    assertThat(soft[2]).isCloseTo(1996, within(90));
    assertThat(any[0] + any[3]).isZero();
    assertThat(any[4]).isCloseTo(1000, within(90));
  }
}
