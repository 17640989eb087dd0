package dev.berth.policy.gpu.value;

import static dev.berth.policy.Given.resealed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.network.Weights;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeValuePolicyTest {
  private static final long GIB = 1L << 30;
  private static final PodRequests EIGHT = pod(64_000, 8, 1000);
  private static final WorkloadProfile PLAIN =
      new WorkloadProfile(
          1,
          1,
          0.3,
          0.1,
          Map.of(),
          new BigPodRoom(List.of(EIGHT), List.of(new GpuNode("n", "T4", 8, 96_000, 384 * GIB))),
          CardWaste.NONE);

  private static PodRequests pod(long cpu, int count, int milli) {
    return new PodRequests(cpu, GIB, new GpuRequest(count, milli, List.of()));
  }

  private static GpuNode node(String model, long freeCpu, int... free) {
    return GpuNode.observed("n", model, free, 96_000, 384 * GIB, freeCpu, 384 * GIB);
  }

  private static double score(
      ValueModel model, WorkloadProfile workload, PodRequests pod, GpuNode n) {
    double[] scores = new double[1];
    new NodeValuePolicy("berth", model, workload)
        .score(pod, new GpuNode[] {n}, new int[] {0}, 1, scores);
    return scores[0];
  }

  @Test
  void node_order_does_not_matter_seed_6() {
    SplittableRandom random = new SplittableRandom(6);
    ValueModel model =
        new ValueModel(Weights.random(ValueModel.spec(16), random), new Prices(0.2, 0.2));
    int n = 150;
    GpuNode[] nodes = new GpuNode[n];
    GpuNode[] reversed = new GpuNode[n];
    int[] rows = new int[n];
    for (int i = 0; i < n; i++) {
      nodes[i] = node("T4", 50_000 + random.nextInt(40_000), 1000, random.nextInt(400, 1000), 700);
      reversed[n - 1 - i] = nodes[i];
      rows[i] = i;
    }
    double[] scores = new double[n];
    double[] backwards = new double[n];
    new NodeValuePolicy("a", model, PLAIN).score(pod(4_000, 1, 350), nodes, rows, n, scores);
    new NodeValuePolicy("b", model, PLAIN).score(pod(4_000, 1, 350), reversed, rows, n, backwards);
    for (int i = 0; i < n; i++) {
      assertThat(scores[i]).isEqualTo(backwards[n - 1 - i]);
      assertThat(scores[i])
          .isCloseTo(score(model, PLAIN, pod(4_000, 1, 350), nodes[i]), within(1e-5));
    }
  }

  @Test
  void action_changes_reward_a_changed_node_is_valued_anew() {
    ValueModel model = ValueModel.shipped();
    NodeValuePolicy policy = new NodeValuePolicy("berth", model, PLAIN);
    GpuNode[] nodes = {new GpuNode("n", "T4", 4, 48_000, 384 * GIB)};
    double[] before = new double[1];
    policy.score(pod(4_000, 1, 500), nodes, new int[] {0}, 1, before);
    nodes[0].place(pod(4_000, 1, 500), 1);
    double[] after = new double[1];
    policy.score(pod(4_000, 1, 500), nodes, new int[] {0}, 1, after);
    assertThat(after[0])
        .isNotEqualTo(before[0])
        .isEqualTo(score(model, PLAIN, pod(4_000, 1, 500), nodes[0]));
  }

  @Test
  void the_shipped_model_fills_a_broken_card_exactly_rather_than_breaking_another() {
    NodeValuePolicy policy = new NodeValuePolicy("berth", ValueModel.shipped(), PLAIN);
    assertThat(policy.cards(pod(4_000, 1, 500), node("T4", 60_000, 1000, 500, 1000, 1000)))
        .isEqualTo(0b0010);
    assertThat(policy.cards(pod(4_000, 2, 1000), node("T4", 60_000, 300, 1000, 1000, 1000)))
        .isEqualTo(0b0110);
  }

  @Test
  void big_pods_have_a_price_where_they_lose_room() {
    Weights network = Weights.random(ValueModel.spec(4), new SplittableRandom(1));
    ValueModel free = new ValueModel(network, Prices.NONE);
    ValueModel dear = new ValueModel(network, new Prices(0, 0.5));
    int[] wholes = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000};
    GpuNode whole = node("T4", 90_000, wholes);
    GpuNode starved = node("T4", 60_000, wholes);
    // The last room for the 8-GPU pod goes: by its cards, or by its CPU alone.
    assertThat(score(free, PLAIN, pod(4_000, 1, 100), whole))
        .isCloseTo(score(dear, PLAIN, pod(4_000, 1, 100), whole) + 0.5, within(1e-9));
    PodRequests cpuOnly = new PodRequests(30_000, GIB, GpuRequest.NONE);
    assertThat(score(free, PLAIN, cpuOnly, whole))
        .isCloseTo(score(dear, PLAIN, cpuOnly, whole) + 0.5, within(1e-9));
    // It had no room here before.
    assertThat(score(free, PLAIN, pod(4_000, 1, 100), starved))
        .isEqualTo(score(dear, PLAIN, pod(4_000, 1, 100), starved));
  }

  @Test
  void room_that_few_nodes_have_is_dearer() {
    PodRequests needsBig = pod(120_000, 8, 1000);
    List<GpuNode> nodes = new ArrayList<>();
    nodes.add(new GpuNode("big", "G3", 8, 128_000, 768 * GIB));
    for (int i = 0; i < 9; i++) {
      nodes.add(new GpuNode("n" + i, "G2", 8, 96_000, 384 * GIB));
    }
    List<PodRequests> pods = new ArrayList<>(List.of(needsBig, EIGHT));
    pods.addAll(Collections.nCopies(64, pod(4_000, 1, 1000)));
    BigPodRoom room = new BigPodRoom(pods, nodes);
    // A tenth of the demand each, so one pod of either shape is expected: in 1 and in 10 places.
    assertThat(room.lost(EIGHT, nodes.get(1))).isCloseTo(0.1, within(1e-9));
    assertThat(room.lost(EIGHT, nodes.get(0))).isCloseTo(1.1, within(1e-9));
    PodRequests hungry = new PodRequests(4_000, 600 * GIB, GpuRequest.NONE);
    assertThat(
            new BigPodRoom(List.of(new PodRequests(1, 500 * GIB, EIGHT.gpu())), nodes)
                .lost(hungry, nodes.get(0)))
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void rare_models_have_a_price_per_gpu_taken() {
    PodRequests insists = new PodRequests(4_000, GIB, new GpuRequest(1, 1000, List.of("V100")));
    GpuNode v100 = new GpuNode("a", "V100", 2, 48_000, 384 * GIB);
    GpuNode t4 = new GpuNode("b", "T4", 6, 48_000, 384 * GIB);
    // Half of the demand insists on V100, a quarter of the cards: 0.5 * 8 / 2 = 2 per card.
    WorkloadProfile workload =
        WorkloadProfile.of(List.of(insists, pod(4_000, 1, 1000)), List.of(v100, t4));
    assertThat(workload.pressure("V100")).isCloseTo(2, within(1e-9));
    assertThat(workload.pressure("T4")).isZero();
    Weights network = Weights.random(ValueModel.spec(4), new SplittableRandom(1));
    double difference =
        score(new ValueModel(network, Prices.NONE), workload, pod(4_000, 1, 500), v100)
            - score(
                new ValueModel(network, new Prices(0.1, 0)), workload, pod(4_000, 1, 500), v100);
    assertThat(difference).isCloseTo(0.1 * 2 * 0.5, within(1e-9));
  }

  @Test
  void a_full_node_costs_nothing() {
    assertThat(
            score(
                ValueModel.shipped(),
                PLAIN,
                new PodRequests(4_000, GIB, GpuRequest.NONE),
                node("T4", 60_000, 0, 0)))
        .isZero();
  }

  @Test
  void a_model_file_reads_back_and_a_damaged_one_is_refused() {
    byte[] bytes = ValueModel.shipped().encode();
    ValueModel back = ValueModel.of(GpuModelFile.decode(bytes));
    assertThat(back.weights()).isEqualTo(ValueModel.shipped().weights());
    assertThat(back.prices()).isEqualTo(ValueModel.shipped().prices());
    bytes[bytes.length / 2] ^= 1;
    assertThatThrownBy(() -> GpuModelFile.decode(bytes)).hasMessageContaining("checksum");
    assertThatThrownBy(() -> GpuModelFile.decode(new byte[100]))
        .hasMessageContaining("not a Berth model file");
  }

  @Test
  void feature_schema_mismatch_refused() {
    byte[] bytes = ValueModel.shipped().encode();
    bytes[24] ^= 1; // the hash of the feature names follows magic, format and task
    assertThatThrownBy(() -> ValueModel.of(GpuModelFile.decode(resealed(bytes))))
        .hasMessageContaining("other features than this build makes");
  }
}
