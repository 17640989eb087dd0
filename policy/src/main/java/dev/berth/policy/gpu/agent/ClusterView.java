package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.value.NodeFeatures;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent's network reads: inputs of the node in question, then a context that many nodes
 * share.
 *
 * <table>
 * <caption>Inputs</caption>
 * <tr><td>dqn, ac</td><td>node features; no context</td></tr>
 * <tr><td>gnn, ac-gnn</td><td>node features; by message passing, the mean features of the nodes with the
 * same card model and of the whole cluster</td></tr>
 * <tr><td>plain-dqn</td><td>node features after and before the placement; pod, load of the cluster
 * in {@value #LOAD_STEPS} steps</td></tr>
 * </table>
 *
 * <p>Every placement changes some mean a little. Means are made anew every {@value #REFRESH}
 * changes only, so that scores can be remembered in between: on 1,213 nodes a run looks about 32
 * times, and no mean is older than 3 % of its placements.
 *
 * <p>Thread rule: one thread.
 */
final class ClusterView {
  /** Changes of the cluster between two looks at it. */
  static final int REFRESH = 250;

  private static final int LOAD_STEPS = 8;
  private static final int POD_INPUTS = 7;
  private static final double GIB = 1L << 30;
  private static final PodRequests NOBODY = new PodRequests(0, 0, GpuRequest.NONE);

  private final AgentKind kind;
  private final WorkloadProfile workload;
  private final Map<String, Integer> groupOfModel = new HashMap<>();
  private float[][] means = new float[1][0];
  private double load;
  private int seenAt = -REFRESH;

  ClusterView(AgentKind kind, WorkloadProfile workload) {
    this.kind = kind;
    this.workload = workload;
  }

  static int nodeInputs(AgentKind kind) {
    return kind.plain() ? 2 * NodeFeatures.COUNT : NodeFeatures.COUNT;
  }

  static int contextInputs(AgentKind kind) {
    return kind.plain() ? POD_INPUTS : kind.messagePassing() ? 2 * NodeFeatures.COUNT : 0;
  }

  WorkloadProfile workload() {
    return workload;
  }

  boolean hasContext() {
    return seenAt >= 0;
  }

  /** True if the contexts changed. */
  boolean refreshContext(GpuNode[] nodes, int changes) {
    if (changes >= seenAt && changes - seenAt < REFRESH) {
      return false;
    }
    seenAt = changes;
    if (kind.plain()) {
      return refreshLoad(nodes);
    }
    if (kind.messagePassing()) {
      refreshMeans(nodes);
    }
    return kind.messagePassing();
  }

  private boolean refreshLoad(GpuNode[] nodes) {
    double idle = 0;
    double all = 0;
    for (GpuNode node : nodes) {
      idle += node.idleMilli();
      all += (double) node.cards() * GpuRequest.CARD_MILLI;
    }
    double now = all == 0 ? 0 : Math.floor((1 - idle / all) * LOAD_STEPS) / LOAD_STEPS;
    boolean changed = now != load;
    load = now;
    return changed;
  }

  private void refreshMeans(GpuNode[] nodes) {
    for (GpuNode node : nodes) {
      groupOfModel.putIfAbsent(node.model(), groupOfModel.size());
    }
    int f = NodeFeatures.COUNT;
    double[][] sums = new double[groupOfModel.size()][f];
    int[] members = new int[sums.length];
    float[] row = new float[f];
    for (GpuNode node : nodes) {
      NodeFeatures.write(node, 0, 0, 0, 0, workload, row, 0);
      int group = group(node);
      members[group]++;
      for (int i = 0; i < f; i++) {
        sums[group][i] += row[i];
      }
    }
    means = new float[sums.length][2 * f];
    for (int i = 0; i < f; i++) {
      double total = 0;
      for (int group = 0; group < sums.length; group++) {
        means[group][i] = (float) (sums[group][i] / members[group]);
        total += sums[group][i];
      }
      for (float[] mean : means) {
        mean[f + i] = (float) (total / nodes.length);
      }
    }
  }

  /** Nodes of one group share their context. */
  int groups() {
    return means.length;
  }

  int group(GpuNode node) {
    return kind.messagePassing() ? groupOfModel.getOrDefault(node.model(), 0) : 0;
  }

  /** What the nodes of a group share when this pod is placed. */
  float[] context(int group, PodRequests pod) {
    if (!kind.plain()) {
      return means[group];
    }
    GpuRequest gpu = pod.gpu();
    return new float[] {
      pod.cpuMilli() / 12_000f,
      (float) (pod.memoryBytes() / GIB / 48),
      gpu.totalMilli() / (float) GpuRequest.CARD_MILLI,
      gpu.count() / 8f,
      gpu.milli() / (float) GpuRequest.CARD_MILLI,
      gpu.models().isEmpty() ? 0 : 1,
      (float) load
    };
  }

  /** Writes the node's own inputs after the placement, from {@code out[at]} on. */
  void write(GpuNode node, int cards, PodRequests pod, float[] out, int at) {
    NodeFeatures.write(
        node, cards, pod.gpu().milli(), pod.cpuMilli(), pod.memoryBytes(), workload, out, at);
    if (kind.plain()) {
      NodeFeatures.write(node, 0, 0, 0, 0, workload, out, at + NodeFeatures.COUNT);
    }
  }

  /** Writes the node's own inputs as it is. */
  void write(GpuNode node, float[] out, int at) {
    write(node, 0, NOBODY, out, at);
  }

  /** All inputs of one row, to be remembered. */
  Inputs inputs(GpuNode node, int cards, PodRequests pod) {
    float[] own = new float[nodeInputs(kind)];
    write(node, cards, pod, own, 0);
    return new Inputs(own, context(group(node), pod));
  }

  /** The same of the node as it is. */
  Inputs inputs(GpuNode node) {
    return inputs(node, 0, NOBODY);
  }

  /**
   * One row.
   *
   * @param context shared with other rows
   */
  record Inputs(float[] own, float[] context) {

    /** Rows for the network, {@code [rows, inputs]}. */
    static Rows rows(List<Inputs> all) {
      int width = all.get(0).own.length + all.get(0).context.length;
      float[] x = new float[all.size() * width];
      for (int i = 0; i < all.size(); i++) {
        all.get(i).copyTo(x, i * width);
      }
      return Rows.plain(x, width);
    }

    void copyTo(float[] x, int at) {
      System.arraycopy(own, 0, x, at, own.length);
      System.arraycopy(context, 0, x, at + own.length, context.length);
    }
  }

  /** Names in order, for the hash in a model file. */
  static List<String> names(AgentKind kind) {
    return List.of(kind.id(), NodeFeatures.NAMES.toString(), "" + contextInputs(kind));
  }
}
