package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.agent.ClusterView.Inputs;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.learning.DoubleDqn;
import dev.berth.policy.learning.OnlineNetwork;
import dev.berth.policy.learning.Ring;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * DQN as published schedulers have it, a rival: one Q per after-state and pod, the reward is minus
 * the growth of the whole cluster's fragmentation, gamma {@value #GAMMA}, double Q over sampled
 * next nodes, replay of the last {@value #MEMORY} decisions, epsilon-greedy. Nothing is decomposed:
 * Q holds the whole cluster's future.
 */
final class PlainDqn implements AgentLearner {
  private static final float GAMMA = 0.9f;
  private static final int MEMORY = 20_000;
  private static final double LAST_EPSILON = 0.05;

  /** Nodes drawn of those where the next pod fits. */
  private static final int NEXT_NODES = 8;

  private final LearningConfig config;
  private final RandomGenerator random;
  private final OnlineNetwork network;
  private final Ring<Transition> memory = new Ring<>(MEMORY);

  /** Next is empty after the last decision of a fill-up. */
  private record Transition(Inputs chosen, float reward, List<Inputs> next) {}

  PlainDqn(LearningConfig config) {
    this.config = config;
    this.random = config.random();
    this.network =
        new OnlineNetwork(
            Weights.random(AgentModel.spec(AgentKind.PLAIN_DQN, config.hidden()), random)
                .withZeroOutputs());
  }

  @Override
  public AgentModel model() {
    return new AgentModel(AgentKind.PLAIN_DQN, network.weights(), Prices.NONE);
  }

  @Override
  public Episode begin(AgentPolicy policy, GpuNode[] nodes, Fragmentation fragmentation) {
    return new Decisions(policy, nodes, fragmentation);
  }

  /** Links each decision with the next. */
  private final class Decisions implements Episode {
    private final AgentPolicy policy;
    private final GpuNode[] nodes;
    private final Fragmentation fragmentation;
    private @Nullable Inputs chosen;
    private double before;
    private float reward;

    Decisions(AgentPolicy policy, GpuNode[] nodes, Fragmentation fragmentation) {
      this.policy = policy;
      this.nodes = nodes;
      this.fragmentation = fragmentation;
    }

    @Override
    public int choose(PodRequests pod, double[] scores, double progress) {
      if (chosen != null) {
        List<Inputs> next = new ArrayList<>();
        for (int i = 0; i < NEXT_NODES; i++) {
          next.add(after(pod, nodes[Exploring.any(scores, random)]));
        }
        memory.add(new Transition(chosen, reward, next));
      }
      double epsilon = Math.max(LAST_EPSILON, 1 - 1.25 * progress);
      int row = Exploring.epsilonGreedy(scores, epsilon, random);
      chosen = after(pod, nodes[row]);
      before = fragmentation.of(nodes[row]);
      return row;
    }

    private Inputs after(PodRequests pod, GpuNode node) {
      return policy.view().inputs(node, policy.cards(pod, node), pod);
    }

    /** The cluster's fragmentation changes by what it changes on the one node that changed. */
    @Override
    public void placed(int row) {
      reward = (float) (before - fragmentation.of(nodes[row])) / GpuRequest.CARD_MILLI;
    }

    @Override
    public void end() {
      if (chosen != null) {
        memory.add(new Transition(chosen, reward, List.of()));
      }
    }
  }

  @Override
  public void update(double rate) {
    List<Inputs> now = new ArrayList<>();
    List<Inputs> later = new ArrayList<>();
    float[] targets = new float[config.batch()];
    boolean[] ends = new boolean[targets.length];
    for (int i = 0; i < targets.length; i++) {
      Transition transition = memory.any(random);
      now.add(transition.chosen);
      targets[i] = transition.reward;
      ends[i] = transition.next.isEmpty();
      for (int j = 0; j < NEXT_NODES; j++) {
        later.add(ends[i] ? transition.chosen : transition.next.get(j));
      }
    }
    Rows next = Inputs.rows(later);
    float[] online = Forward.run(network.weights(), next);
    float[] target = Forward.run(network.target(), next);
    for (int i = 0; i < targets.length; i++) {
      if (!ends[i]) {
        int from = i * NEXT_NODES;
        targets[i] += GAMMA * DoubleDqn.next(online, target, next.valid(), from, from + NEXT_NODES);
      }
    }
    float[] ones = new float[targets.length];
    Arrays.fill(ones, 1);
    network.step(
        new Loss.Regression(Inputs.rows(now), new int[targets.length], targets, ones, true), rate);
  }
}
