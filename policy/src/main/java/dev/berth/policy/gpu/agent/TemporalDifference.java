package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.agent.ClusterView.Inputs;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.learning.OnlineNetwork;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * DQN with a decomposed Q: {@code Q(s, node) = v(after) - v(before)}, v = minus the GPUs that will
 * stay idle on the node, learned by TD(0) from every node's own chain of states with a target
 * network and gamma 1; the end of the fill-up pays the idle GPUs. All transitions are kept. A
 * maximum over next actions, and with it double Q, has no place here: a node's next pod is chosen
 * by the cluster, not by the node, so v is that of the behaviour, which grows greedy.
 */
final class TemporalDifference implements AgentLearner {
  private static final double LAST_EPSILON = 0.1;

  /** One in so many decisions also looks at a random node: time passes for it too. */
  private static final int RANDOM_NODE_EVERY = 8;

  private final AgentKind kind;
  private final LearningConfig config;
  private final RandomGenerator random;
  private final OnlineNetwork network;

  private final List<Inputs> states = new ArrayList<>();
  private int[] next = new int[1024];
  private float[] value = new float[1024];

  TemporalDifference(AgentKind kind, LearningConfig config) {
    this.kind = kind;
    this.config = config;
    this.random = config.random();
    this.network =
        new OnlineNetwork(
            Weights.random(AgentModel.spec(kind, config.hidden()), random).withZeroOutputs());
  }

  Weights weights() {
    return network.weights();
  }

  @Override
  public AgentModel model() {
    return new AgentModel(kind, weights(), AgentModel.PRICES);
  }

  @Override
  public Episode begin(AgentPolicy policy, GpuNode[] nodes, Fragmentation fragmentation) {
    return new Chains(policy, nodes);
  }

  private int add(Inputs state) {
    int number = states.size();
    if (number == next.length) {
      next = Arrays.copyOf(next, 2 * number);
      value = Arrays.copyOf(value, 2 * number);
    }
    states.add(state);
    return number;
  }

  /** Links each node's states as they follow each other. */
  private final class Chains implements Episode {
    private final AgentPolicy policy;
    private final GpuNode[] nodes;
    private final int[] latest;

    Chains(AgentPolicy policy, GpuNode[] nodes) {
      this.policy = policy;
      this.nodes = nodes;
      this.latest = new int[nodes.length];
      policy.refreshContext(nodes, 0);
      for (int row = 0; row < nodes.length; row++) {
        latest[row] = add(policy.view().inputs(nodes[row]));
      }
    }

    @Override
    public int choose(PodRequests pod, double[] scores, double progress) {
      return Exploring.epsilonGreedy(scores, 1 - (1 - LAST_EPSILON) * progress, random);
    }

    @Override
    public void placed(int row) {
      follow(row);
      if (random.nextInt(RANDOM_NODE_EVERY) == 0) {
        follow(random.nextInt(nodes.length));
      }
    }

    private void follow(int row) {
      int now = add(policy.view().inputs(nodes[row]));
      next[latest[row]] = now;
      latest[row] = now;
    }

    @Override
    public void end() {
      for (int row = 0; row < nodes.length; row++) {
        next[latest[row]] = -1;
        value[latest[row]] = -nodes[row].idleMilli() / (float) GpuRequest.CARD_MILLI;
      }
    }
  }

  @Override
  public void update(double rate) {
    List<Inputs> now = new ArrayList<>();
    List<Inputs> later = new ArrayList<>();
    int[] drawn = new int[config.batch()];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = random.nextInt(states.size());
      now.add(states.get(drawn[i]));
      later.add(states.get(Math.max(0, next[drawn[i]])));
    }
    float[] targets = Forward.run(network.target(), Inputs.rows(later));
    float[] ones = new float[drawn.length];
    Arrays.fill(ones, 1);
    for (int i = 0; i < drawn.length; i++) {
      if (next[drawn[i]] < 0) {
        targets[i] = value[drawn[i]];
      }
    }
    Rows rows = Inputs.rows(now);
    network.step(new Loss.Regression(rows, new int[drawn.length], targets, ones, false), rate);
  }
}
