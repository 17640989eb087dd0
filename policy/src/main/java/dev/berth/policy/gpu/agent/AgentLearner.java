package dev.berth.policy.gpu.agent;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.learning.AgentKind;
import java.util.random.RandomGenerator;

/**
 * How an agent behaves while it learns, and what it makes of what it sees: one fill-up after
 * another, with gradient steps in between.
 *
 * <p>Thread rule: one thread.
 */
public interface AgentLearner {

  /** A beginner of this kind. */
  static AgentLearner of(AgentKind kind, LearningConfig config) {
    if (kind.plain()) {
      return new PlainDqn(config);
    }
    return kind.actorCritic()
        ? new ActorCritic(kind, config)
        : new TemporalDifference(kind, config);
  }

  /** What it has learned so far; what it behaves by, apart from exploring. */
  AgentModel model();

  /**
   * A fill-up begins.
   *
   * @param policy of {@link #model()}
   * @param nodes empty; the learner looks at them, the caller places
   * @param fragmentation of this workload
   */
  Episode begin(AgentPolicy policy, GpuNode[] nodes, Fragmentation fragmentation);

  /**
   * One gradient step.
   *
   * @param rate learning rate
   */
  void update(double rate);

  /** One fill-up through the agent's eyes. */
  interface Episode {

    /**
     * Chooses a row, exploring.
     *
     * @param scores by row, NaN where the pod does not fit; one at least is a number
     * @param progress of the training, 0..1
     */
    int choose(PodRequests pod, double[] scores, double progress);

    /** The pod was placed where the agent chose. */
    void placed(int row);

    /** No more pods. */
    void end();
  }

  /**
   * Hyper-parameters.
   *
   * @param hidden units of each hidden layer
   * @param batch rows per gradient step
   * @param temperature of an actor's softmax, in GPUs: also the price it sets on entropy
   * @param random of weights, exploration and batches
   */
  record LearningConfig(int hidden, int batch, double temperature, RandomGenerator random) {}
}
