package dev.berth.policy.gpu.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.agent.ClusterView.Inputs;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Weights;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every agent on GPUs, whatever its weights. */
class AgentPolicyTest {
  private static final long GIB = 1L << 30;
  private static final PodRequests POD =
      new PodRequests(4_000, GIB, new GpuRequest(1, 350, List.of()));
  private static final WorkloadProfile PLAIN = WorkloadProfile.of(List.of(POD), List.of(nodes(9)));

  private static AgentModel model(AgentKind kind) {
    Weights weights = Weights.random(AgentModel.spec(kind, 16), new SplittableRandom(6));
    return new AgentModel(kind, weights, Prices.NONE);
  }

  private static GpuNode[] nodes(int count) {
    SplittableRandom random = new SplittableRandom(7);
    GpuNode[] nodes = new GpuNode[count];
    for (int i = 0; i < count; i++) {
      int[] free = {1000, random.nextInt(700, 1000), 700};
      nodes[i] =
          GpuNode.observed(
              "n" + i,
              i % 3 == 0 ? "T4" : "P100",
              free,
              96_000,
              384 * GIB,
              random.nextInt(50_000, 90_000),
              384 * GIB);
    }
    return nodes;
  }

  private static void use(GpuNode node) {
    for (int i = 0; i < 4; i++) {
      node.place(POD, 1 << i % 2);
    }
  }

  private static double[] scores(AgentPolicy policy, GpuNode[] nodes) {
    double[] scores = new double[nodes.length];
    int[] rows = IntStream.range(0, nodes.length).toArray();
    policy.score(POD, nodes, rows, rows.length, scores);
    return scores;
  }

  private static double[] scores(AgentKind kind, GpuNode[] nodes) {
    return scores(model(kind).policy("a", PLAIN), nodes);
  }

  @ParameterizedTest(name = "{0}, seeds 6 and 7")
  @EnumSource(AgentKind.class)
  void permuting_the_nodes_permutes_the_scores(AgentKind kind) {
    int n = 150;
    GpuNode[] nodes = nodes(n);
    GpuNode[] reversed = new GpuNode[n];
    for (int i = 0; i < n; i++) {
      reversed[n - 1 - i] = nodes[i];
    }
    double[] scores = scores(kind, nodes);
    double[] backwards = scores(kind, reversed);
    for (int i = 0; i < n; i++) {
      assertThat(backwards[n - 1 - i]).isCloseTo(scores[i], within(1e-4));
    }
    assertThat(IntStream.range(0, n).mapToDouble(i -> scores[i]).distinct().count())
        .isGreaterThan(100);
  }

  @ParameterizedTest(name = "{0}, seeds 6 and 7")
  @EnumSource(AgentKind.class)
  void a_score_is_what_the_whole_network_says_of_the_best_card(AgentKind kind) {
    GpuNode[] nodes = nodes(40);
    AgentModel model = model(kind);
    AgentPolicy policy = model.policy("a", PLAIN);
    double[] scores = scores(policy, nodes);
    for (int i = 0; i < nodes.length; i++) {
      ClusterView view = policy.view();
      double best = Double.NEGATIVE_INFINITY;
      int bestCard = -1;
      for (int card = 0; card < 3; card++) {
        double v = value(model, view.inputs(nodes[i], 1 << card, POD));
        if (v > best) {
          best = v;
          bestCard = card;
        }
      }
      double before = kind.plain() ? 0 : value(model, view.inputs(nodes[i]));
      assertThat(scores[i]).isCloseTo(best - before, within(1e-4));
      assertThat(policy.cards(POD, nodes[i])).isEqualTo(1 << bestCard);
    }
  }

  private static double value(AgentModel model, Inputs inputs) {
    return Forward.run(model.weights(), Inputs.rows(List.of(inputs)))[0];
  }

  @Test
  void nodes_of_a_graph_agent_hear_their_group_and_others_do_not_seeds_6_and_7() {
    for (AgentKind kind : List.of(AgentKind.DQN, AgentKind.AC, AgentKind.GNN, AgentKind.AC_GNN)) {
      GpuNode[] nodes = nodes(9);
      double alone = scores(kind, nodes)[0];
      use(nodes[3]);
      assertThat(scores(kind, nodes)[0] != alone).as(kind.id()).isEqualTo(kind.messagePassing());
    }
  }

  @Test
  void messages_are_made_anew_now_and_then_and_scores_before_are_void_then() {
    GpuNode[] nodes = nodes(9);
    AgentPolicy policy = model(AgentKind.GNN).policy("a", PLAIN);
    assertThat(policy.refreshContext(nodes, 0)).isTrue();
    double first = scores(policy, nodes)[0];
    use(nodes[3]);
    assertThat(policy.refreshContext(nodes, ClusterView.REFRESH - 1)).isFalse();
    assertThat(scores(policy, nodes)[0]).isEqualTo(first);
    assertThat(policy.refreshContext(nodes, ClusterView.REFRESH)).isTrue();
    assertThat(scores(policy, nodes)[0]).isNotEqualTo(first);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(AgentKind.class)
  void a_model_file_brings_back_the_same_agent_and_a_damaged_one_is_refused(AgentKind kind) {
    AgentModel model =
        new AgentModel(kind, model(kind).weights(), new Prices(0.25, kind.plain() ? 0 : 3));
    byte[] file = model.encode();
    assertThat(AgentModel.read(file)).isEqualTo(model);
    file[file.length / 2] ^= 1;
    assertThatThrownBy(() -> AgentModel.read(file)).hasMessageContaining("damaged");
  }

  @Test
  void the_same_reader_takes_the_value_that_ships() {
    byte[] file = ValueModel.shipped().encode();
    assertThat(AgentModel.read(file)).isInstanceOf(ValueModel.class);
    assertThatThrownBy(() -> AgentModel.read(new byte[40])).hasMessageContaining("berth gpu-train");
  }
}
