package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Cards;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Weights;

/**
 * Scores by an agent's network. Decomposed agents: {@code Q(s, node) = v(after) - v(before)}, less
 * the prices. The plain one: Q of the after-state and the pod alone. The card within a node is the
 * one with the best after-state.
 *
 * <p>Thread rule: one thread; give each thread its own.
 */
public final class AgentPolicy implements GpuPolicy {
  /** Rows of one forward pass. */
  private static final int BLOCK = 64;

  private final String name;
  private final AgentKind kind;
  private final AgentModel model;
  private final Prices prices;
  private final ClusterView view;
  private Weights[] networks = new Weights[0];
  private final int width;
  private final float[] x;
  private final int[] rowOf = new int[BLOCK];
  private final boolean[] isBefore = new boolean[BLOCK];
  private double[] before = new double[0];
  private int filled;

  AgentPolicy(String name, AgentModel model, WorkloadProfile workload) {
    this.name = name;
    this.kind = model.kind();
    this.model = model;
    this.prices = model.prices();
    this.view = new ClusterView(kind, workload);
    this.width = ClusterView.nodeInputs(kind);
    this.x = new float[width * BLOCK];
  }

  @Override
  public String name() {
    return name;
  }

  /** What the network reads. */
  ClusterView view() {
    return view;
  }

  @Override
  public boolean refreshContext(GpuNode[] nodes, int changes) {
    boolean changed = view.refreshContext(nodes, changes);
    if (changed) {
      networks = new Weights[0];
    }
    return changed;
  }

  /** The network of each group. */
  private Weights[] networks(PodRequests pod) {
    if (networks.length == 0 || kind.plain()) {
      networks = new Weights[view.groups()];
      for (int group = 0; group < networks.length; group++) {
        networks[group] = model.weights().given(view.context(group, pod));
      }
    }
    return networks;
  }

  @Override
  public void score(PodRequests pod, GpuNode[] nodes, int[] rows, int count, double[] scores) {
    if (!view.hasContext()) {
      refreshContext(nodes, 0);
    }
    if (before.length < nodes.length) {
      before = new double[nodes.length];
    }
    Weights[] perGroup = networks(pod);
    for (int group = 0; group < perGroup.length; group++) {
      for (int i = 0; i < count; i++) {
        if (view.group(nodes[rows[i]]) == group) {
          add(pod, nodes[rows[i]], rows[i], perGroup[group], scores);
        }
      }
      evaluate(perGroup[group], scores);
    }
    if (!kind.plain()) {
      for (int i = 0; i < count; i++) {
        scores[rows[i]] -= before[rows[i]] + prices.of(pod, nodes[rows[i]], view.workload());
      }
    }
  }

  private void add(PodRequests pod, GpuNode node, int row, Weights network, double[] scores) {
    scores[row] = Double.NEGATIVE_INFINITY;
    if (!kind.plain()) {
      if (node.idleMilli() == 0) {
        // Nothing can stay idle on a full node, whatever the network says.
        before[row] = 0;
        scores[row] = 0;
        return;
      }
      makeRoom(network, scores);
      view.write(node, x, filled * width);
      isBefore[filled] = true;
      rowOf[filled++] = row;
    }
    if (!pod.sharesCard()) {
      add(pod, node, Cards.whole(pod, node), row, network, scores);
      return;
    }
    for (int card = 0; card < node.cards(); card++) {
      if (Cards.worthTrying(pod, node, card)) {
        add(pod, node, 1 << card, row, network, scores);
      }
    }
  }

  private void add(
      PodRequests pod, GpuNode node, int cards, int row, Weights network, double[] scores) {
    makeRoom(network, scores);
    view.write(node, cards, pod, x, filled * width);
    isBefore[filled] = false;
    rowOf[filled++] = row;
  }

  private void makeRoom(Weights network, double[] scores) {
    if (filled == BLOCK) {
      evaluate(network, scores);
    }
  }

  /** Keeps the best card of each node. */
  private void evaluate(Weights network, double[] scores) {
    float[] values = Forward.run(network, x, filled);
    for (int i = 0; i < filled; i++) {
      if (isBefore[i]) {
        before[rowOf[i]] = values[i];
      } else {
        scores[rowOf[i]] = Math.max(scores[rowOf[i]], values[i]);
      }
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
            view.write(node, masks[i], pod, x, i * width);
          }
          return Forward.run(networks(pod)[view.group(node)], x, masks.length);
        });
  }
}
