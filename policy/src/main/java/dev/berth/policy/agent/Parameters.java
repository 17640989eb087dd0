package dev.berth.policy.agent;

import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.reward.Rewards;
import java.util.List;

/**
 * Every parameter of an agent, with its default: the builder of {@link AgentConfig}. Values are
 * checked by {@link #build}.
 *
 * <p>Thread rule: one thread.
 */
public final class Parameters {
  public AgentKind kind; // which agent

  // Task
  public Objective objective = Objective.USAGE; // the load that balance and overload are about
  public Rewards rewards = Rewards.USAGE; // what a placement is rewarded for
  public Credit credit = Credit.DIFFERENCE; // how the outcome is credited to the candidates
  public double settleSeconds = 45; // to the measured window; not shorter than the samples' rates
  public double windowSeconds = 300; // measured window, at most 300 s; longer is less noisy

  // Correction of the base score
  public boolean residual = true; // whether the agent corrects the base, or scores alone
  public double clip = 0.01; // largest correction, in node usage; 0 is the base alone

  // Architecture
  public List<Integer> hidden = List.of(32, 32); // widths of the hidden layers
  public boolean context = true; // whether rows say how a candidate compares with the others

  // Learning
  public double learningRate = 1e-3; // of Adam
  public int batchSize = 32; // decisions per gradient step
  public int learningStarts = 200; // measured decisions before the first gradient step
  public int trainFrequency = 1; // measured decisions per gradient step
  public double maxGradNorm = 10; // clip of the gradient's global norm

  // Replay
  public int bufferSize = 20_000; // decisions remembered
  public int width = 12; // candidates remembered of each decision, the chosen one among them

  // Bootstrap
  public double gamma = 0; // discount; 0.9 chases noise on live load
  public int nStep = 1; // rewards summed before the target network's estimate takes over
  public double tau = 1; // share of the online weights in each copy to the target network
  public int targetNetworkFrequency = 500; // gradient steps between copies

  // Exploration
  public double startE = 0.2; // probability at the start
  public double endE = 0.02; // probability at the end
  public int explorationDecisions = 2_000; // decisions over which it falls, linearly

  // Actor
  public double temperature = 0.2; // of the softmax, in units of reward
  public double entCoef = 0.2; // entropy; equal to the temperature, Q converges to the reward

  Parameters(AgentKind kind) {
    this.kind = kind;
    if (kind.plain()) {
      alone();
      credit = Credit.CLUSTER;
      gamma = 0.9;
    }
  }

  Parameters(AgentConfig c) {
    kind = c.kind();
    objective = c.task().objective();
    rewards = c.task().rewards();
    credit = c.task().credit();
    settleSeconds = c.task().settleSeconds();
    windowSeconds = c.task().windowSeconds();
    residual = c.correction().residual();
    clip = c.correction().clip();
    hidden = c.architecture().hidden();
    context = c.architecture().context();
    learningRate = c.learning().learningRate();
    batchSize = c.learning().batchSize();
    learningStarts = c.learning().learningStarts();
    trainFrequency = c.learning().trainFrequency();
    maxGradNorm = c.learning().maxGradNorm();
    bufferSize = c.replay().bufferSize();
    width = c.replay().width();
    gamma = c.bootstrap().gamma();
    nStep = c.bootstrap().nStep();
    tau = c.bootstrap().tau();
    targetNetworkFrequency = c.bootstrap().targetNetworkFrequency();
    startE = c.exploration().startE();
    endE = c.exploration().endE();
    explorationDecisions = c.exploration().explorationDecisions();
    temperature = c.actor().temperature();
    entCoef = c.actor().entCoef();
  }

  /** Random weights, no base score under the agent, and so free to explore. */
  public void alone() {
    residual = false;
    startE = 1;
    endE = 0;
  }

  /**
   * @throws IllegalArgumentException naming a value out of range, or two that do not fit
   */
  AgentConfig build() {
    return new AgentConfig(
        kind,
        new AgentConfig.Task(objective, rewards, credit, settleSeconds, windowSeconds),
        new AgentConfig.Correction(residual, clip),
        new AgentConfig.Architecture(hidden, context),
        new AgentConfig.Learning(
            learningRate, batchSize, learningStarts, trainFrequency, maxGradNorm),
        new AgentConfig.Replay(bufferSize, width),
        new AgentConfig.Bootstrap(gamma, nStep, tau, targetNetworkFrequency),
        new AgentConfig.Exploration(startE, endE, explorationDecisions),
        new AgentConfig.Actor(temperature, entCoef));
  }
}
