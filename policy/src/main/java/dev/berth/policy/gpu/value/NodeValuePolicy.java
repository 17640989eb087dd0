package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Cards;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Weights;
import java.util.Arrays;

/**
 * Decomposed Q: {@code Q(s, node) = v(before) - v(after)}, where v is the idle GPU expected to stay
 * on the node for good. The difference cancels all that the action does not touch, so one small
 * network serves clusters of any size; the card within the node is chosen by the same value.
 *
 * <p>Thread rule: one thread; give each thread its own.
 */
public final class NodeValuePolicy implements GpuPolicy {
  /** Rows of one forward pass: few enough to stay in the fastest cache. */
  private static final int BLOCK = 64;

  private final String name;
  private final Weights weights;
  private final Prices prices;
  private final WorkloadProfile workload;
  private final float[] x = new float[BLOCK * ValueInputs.COUNT];
  private final int[] rowOf = new int[BLOCK];
  private int filled;
  private GpuNode[] nodesBefore = new GpuNode[0];
  private int[] versionBefore = new int[0];
  private double[] before = new double[0];

  /** Scores with the model's network and prices for a workload of its own. */
  public NodeValuePolicy(String name, ValueModel model, WorkloadProfile workload) {
    this.name = name;
    this.weights = model.weights();
    this.prices = model.prices();
    this.workload = workload;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void score(PodRequests pod, GpuNode[] nodes, int[] rows, int count, double[] scores) {
    refreshBefore(nodes, rows, count);
    for (int i = 0; i < count; i++) {
      scores[rows[i]] = Double.NEGATIVE_INFINITY;
    }
    for (int i = 0; i < count; i++) {
      GpuNode node = nodes[rows[i]];
      if (node.idleMilli() == 0) {
        scores[rows[i]] = 0;
      } else if (!pod.sharesCard()) {
        add(pod, node, Cards.whole(pod, node), rows[i], scores);
      } else {
        for (int card = 0; card < node.cards(); card++) {
          if (Cards.worthTrying(pod, node, card)) {
            add(pod, node, 1 << card, rows[i], scores);
          }
        }
      }
    }
    evaluate(scores);
    for (int i = 0; i < count; i++) {
      scores[rows[i]] -= prices.of(pod, nodes[rows[i]], workload);
    }
  }

  private void add(PodRequests pod, GpuNode node, int cards, int row, double[] scores) {
    if (filled == BLOCK) {
      evaluate(scores);
    }
    write(pod, node, cards, filled);
    rowOf[filled++] = row;
  }

  /** Keeps the best card of each node. */
  private void evaluate(double[] scores) {
    float[] values = Forward.run(weights, x, filled);
    for (int i = 0; i < filled; i++) {
      scores[rowOf[i]] = Math.max(scores[rowOf[i]], before[rowOf[i]] - values[i]);
    }
    filled = 0;
  }

  private void refreshBefore(GpuNode[] nodes, int[] rows, int count) {
    if (before.length < nodes.length) {
      nodesBefore = Arrays.copyOf(nodesBefore, nodes.length);
      versionBefore = Arrays.copyOf(versionBefore, nodes.length);
      before = Arrays.copyOf(before, nodes.length);
    }
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      GpuNode node = nodes[row];
      if (nodesBefore[row] != node || versionBefore[row] != node.version()) {
        nodesBefore[row] = node;
        versionBefore[row] = node.version();
        if (filled == BLOCK) {
          evaluateBefore();
        }
        ValueInputs.write(node, 0, 0, 0, 0, workload, x, filled * ValueInputs.COUNT);
        rowOf[filled++] = row;
      }
    }
    evaluateBefore();
  }

  private void evaluateBefore() {
    float[] values = Forward.run(weights, x, filled);
    for (int i = 0; i < filled; i++) {
      before[rowOf[i]] = values[i];
    }
    filled = 0;
  }

  @Override
  public int cards(PodRequests pod, GpuNode node) {
    return Cards.worthMost(
        pod,
        node,
        masks -> {
          for (int i = 0; i < masks.length; i++) {
            write(pod, node, masks[i], i);
          }
          float[] values = Forward.run(weights, x, masks.length);
          for (int i = 0; i < masks.length; i++) {
            values[i] = -values[i]; // what stays idle is a cost
          }
          return values;
        });
  }

  private void write(PodRequests pod, GpuNode node, int cards, int row) {
    ValueInputs.write(
        node,
        cards,
        pod.gpu().milli(),
        pod.cpuMilli(),
        pod.memoryBytes(),
        workload,
        x,
        row * ValueInputs.COUNT);
  }
}
