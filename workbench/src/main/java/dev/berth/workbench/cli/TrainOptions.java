package dev.berth.workbench.cli;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.Credit;
import dev.berth.policy.agent.Objective;
import dev.berth.policy.agent.Parameters;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.reward.Rewards;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Hyper-parameters as flags, named as in CleanRL. What is not given keeps the agent's default. */
final class TrainOptions {
  @Option(
      names = "--agent",
      paramLabel = "A",
      required = true,
      description = "dqn, gnn, ac, ac-gnn, or plain-dqn as a rival.")
  private String agent = "";

  @Option(
      names = "--alone",
      description =
          "No base score under the agent: random weights, nothing but what it learns. Default: a"
              + " bounded correction of predict-then-greedy.")
  private boolean alone;

  @Option(
      names = "--objective",
      paramLabel = "usage|requests",
      description = "The load that balance and overload are about. Default: usage.")
  private @Nullable Objective objective;

  @Option(
      names = "--credit",
      paramLabel = "C",
      description =
          "What a candidate is credited with: difference, level or cluster. Default: difference;"
              + " cluster for plain-dqn.")
  private @Nullable Credit credit;

  @Option(
      names = "--no-context",
      description = "Hide how a candidate compares with the others. For ablations.")
  private boolean noContext;

  @Option(
      names = "--reward",
      paramLabel = "TERM=WEIGHT,...",
      description =
          "What placements are rewarded for: balance, overload, pack, connections, latency, energy,"
              + " fragmentation, locality (docs/rewards.md). Default: balance=1,overload=10.")
  private @Nullable String reward;

  @Option(
      names = "--total-timesteps",
      paramLabel = "N",
      defaultValue = "30000",
      description = "Decisions to learn from. Default: ${DEFAULT-VALUE}.")
  private long totalTimesteps;

  @Option(names = "--learning-rate", paramLabel = "X", description = "Of Adam. Default: 0.001.")
  private @Nullable Double learningRate;

  @Option(
      names = "--buffer-size",
      paramLabel = "N",
      description = "Decisions remembered. Default: 20000.")
  private @Nullable Integer bufferSize;

  @Option(
      names = "--gamma",
      paramLabel = "X",
      description = "Discount; above 0 it chases noise on live load. Default: 0.")
  private @Nullable Double gamma;

  @Option(
      names = "--n-step",
      paramLabel = "N",
      description = "Rewards summed before the estimate takes over. Default: 1.")
  private @Nullable Integer nStep;

  @Option(
      names = "--tau",
      paramLabel = "X",
      description = "Share of the online weights in each copy to the target network. Default: 1.")
  private @Nullable Double tau;

  @Option(
      names = "--target-network-frequency",
      paramLabel = "N",
      description = "Gradient steps between copies. Default: 500.")
  private @Nullable Integer targetNetworkFrequency;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Decisions per gradient step. Default: 32.")
  private @Nullable Integer batchSize;

  @Option(names = "--start-e", paramLabel = "X", description = "Exploration at the start.")
  private @Nullable Double startE;

  @Option(names = "--end-e", paramLabel = "X", description = "Exploration at the end.")
  private @Nullable Double endE;

  @Option(
      names = "--exploration-fraction",
      paramLabel = "X",
      defaultValue = "0.5",
      description = "Share of the decisions over which it falls. Default: ${DEFAULT-VALUE}.")
  private double explorationFraction;

  @Option(
      names = "--learning-starts",
      paramLabel = "N",
      description = "Measured decisions before the first gradient step. Default: 200.")
  private @Nullable Integer learningStarts;

  @Option(
      names = "--train-frequency",
      paramLabel = "N",
      description = "Measured decisions per gradient step. Default: 1.")
  private @Nullable Integer trainFrequency;

  @Option(
      names = "--max-grad-norm",
      paramLabel = "X",
      description = "Clip of the gradient's global norm. Default: 10.")
  private @Nullable Double maxGradNorm;

  @Option(
      names = "--ent-coef",
      paramLabel = "X",
      description = "Weight of the actor's entropy. Default: 0.2.")
  private @Nullable Double entCoef;

  @Option(
      names = "--temperature",
      paramLabel = "X",
      description = "Of the actor's softmax. Default: 0.2.")
  private @Nullable Double temperature;

  @Option(
      names = "--clip",
      paramLabel = "X",
      description = "Largest correction of the base, in node usage. Default: 0.01.")
  private @Nullable Double clip;

  @Option(
      names = "--hidden",
      split = ",",
      paramLabel = "N",
      description = "Widths of the hidden layers. Default: 32,32.")
  private @Nullable List<Integer> hidden;

  /** Throws IllegalArgumentException when there is nothing to learn from. */
  long totalTimesteps() {
    if (totalTimesteps < 1) {
      throw new IllegalArgumentException(
          "--total-timesteps is " + totalTimesteps + ": want 1 or more");
    }
    return totalTimesteps;
  }

  /** The agent's settings; throws IllegalArgumentException naming the flag and the fix. */
  AgentConfig config() {
    return AgentConfig.defaults(AgentKind.byId(agent.toLowerCase(Locale.ROOT))).with(this::change);
  }

  private void change(Parameters p) {
    if (alone) {
      p.alone();
    }
    p.explorationDecisions = Math.max(1, (int) (explorationFraction * totalTimesteps));
    p.objective = given(objective, p.objective);
    p.credit = given(credit, p.credit);
    p.context = p.context && !noContext;
    p.rewards = reward == null ? p.rewards : Rewards.parse(reward);
    p.learningRate = given(learningRate, p.learningRate);
    p.bufferSize = given(bufferSize, p.bufferSize);
    p.gamma = given(gamma, p.gamma);
    p.nStep = given(nStep, p.nStep);
    p.tau = given(tau, p.tau);
    p.targetNetworkFrequency = given(targetNetworkFrequency, p.targetNetworkFrequency);
    p.batchSize = given(batchSize, p.batchSize);
    p.startE = given(startE, p.startE);
    p.endE = given(endE, p.endE);
    p.learningStarts = given(learningStarts, p.learningStarts);
    p.trainFrequency = given(trainFrequency, p.trainFrequency);
    p.maxGradNorm = given(maxGradNorm, p.maxGradNorm);
    p.entCoef = given(entCoef, p.entCoef);
    p.temperature = given(temperature, p.temperature);
    p.clip = given(clip, p.clip);
    p.hidden = given(hidden, p.hidden);
  }

  private static <T> T given(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }
}
