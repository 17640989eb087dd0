package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.agent.ClusterView.Inputs;
import dev.berth.policy.learning.AgentKind;
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

/**
 * Actor-critic: the actor is the softmax of {@code u(after) - u(before)} over the nodes, the critic
 * the sum of v over all nodes, learned by {@link TemporalDifference}. A placement changes one term
 * of that sum, so its TD error (gamma 1, no reward before the end) is {@code v(after) - v(before)}
 * of its node, and it is known for every node, not the chosen one alone: the policy gradient is
 * taken in expectation over the actor's own softmax, which subtracts its mean as the baseline.
 * Entropy is priced at the temperature.
 */
final class ActorCritic implements AgentLearner {
  /** Kept decisions: about the last three fill-ups, as policy gradients want recent ones. */
  private static final int MEMORY = 4096;

  /** One in so many decisions is kept. */
  private static final int KEEP_EVERY = 8;

  /** Candidates kept of a decision, drawn at random. */
  private static final int CANDIDATES = 24;

  private final AgentKind kind;
  private final LearningConfig config;
  private final RandomGenerator random;
  private final TemporalDifference critic;
  private final OnlineNetwork actor;
  private final Ring<Choice> choices = new Ring<>(MEMORY);

  private record Choice(List<Inputs> before, List<Inputs> after) {}

  ActorCritic(AgentKind kind, LearningConfig config) {
    this.kind = kind;
    this.config = config;
    this.random = config.random();
    this.critic = new TemporalDifference(kind, config);
    this.actor =
        new OnlineNetwork(
            Weights.random(AgentModel.spec(kind, config.hidden()), random).withZeroOutputs());
  }

  @Override
  public AgentModel model() {
    return new AgentModel(kind, actor.weights(), AgentModel.PRICES);
  }

  @Override
  public Episode begin(AgentPolicy policy, GpuNode[] nodes, Fragmentation fragmentation) {
    return new Decisions(policy, nodes, critic.begin(policy, nodes, fragmentation));
  }

  /** Samples from the actor and keeps some decisions; the critic watches. */
  private final class Decisions implements Episode {
    private final AgentPolicy policy;
    private final GpuNode[] nodes;
    private final Episode critics;

    Decisions(AgentPolicy policy, GpuNode[] nodes, Episode critics) {
      this.policy = policy;
      this.nodes = nodes;
      this.critics = critics;
    }

    @Override
    public int choose(PodRequests pod, double[] scores, double progress) {
      if (random.nextInt(KEEP_EVERY) == 0) {
        keep(pod, scores);
      }
      return Exploring.softmax(scores, config.temperature(), random);
    }

    private void keep(PodRequests pod, double[] scores) {
      List<Inputs> before = new ArrayList<>();
      List<Inputs> after = new ArrayList<>();
      for (int i = 0; i < CANDIDATES; i++) {
        GpuNode node = nodes[Exploring.any(scores, random)];
        before.add(policy.view().inputs(node));
        after.add(policy.view().inputs(node, policy.cards(pod, node), pod));
      }
      choices.add(new Choice(before, after));
    }

    @Override
    public void placed(int row) {
      critics.placed(row);
    }

    @Override
    public void end() {
      critics.end();
    }
  }

  @Override
  public void update(double rate) {
    critic.update(rate);
    int decisions = Math.max(1, config.batch() / CANDIDATES);
    List<Inputs> before = new ArrayList<>();
    List<Inputs> after = new ArrayList<>();
    for (int i = 0; i < decisions; i++) {
      Choice choice = choices.any(random);
      before.addAll(choice.before);
      after.addAll(choice.after);
    }
    Rows rowsBefore = table(Inputs.rows(before), decisions);
    Rows rowsAfter = table(Inputs.rows(after), decisions);
    float[] advantages = Forward.run(critic.weights(), rowsAfter);
    float[] values = Forward.run(critic.weights(), rowsBefore);
    for (int i = 0; i < advantages.length; i++) {
      advantages[i] -= values[i];
    }
    float temperature = (float) config.temperature();
    actor.step(
        new Loss.CandidatePolicy(rowsAfter, rowsBefore, advantages, temperature, temperature),
        rate);
  }

  private static Rows table(Rows rows, int decisions) {
    boolean[] valid = new boolean[rows.size()];
    Arrays.fill(valid, true);
    return new Rows(decisions, CANDIDATES, rows.features(), valid, Rows.noGroups(rows.size()));
  }
}
