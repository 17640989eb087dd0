package dev.berth.policy.agent;

import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.replay.ReplayBuffer;
import dev.berth.policy.reward.Rewards;
import java.util.List;
import java.util.function.Consumer;

/**
 * An agent and its parameters, named as in CleanRL. {@link Parameters} lists them all, with units
 * and defaults.
 *
 * <pre>{@code
 * AgentConfig config = AgentConfig.defaults(AgentKind.DQN).with(p -> p.gamma = 0.5);
 * }</pre>
 *
 * <p>Immutable.
 */
public record AgentConfig(
    AgentKind kind,
    Task task,
    Correction correction,
    Architecture architecture,
    Learning learning,
    Replay replay,
    Bootstrap bootstrap,
    Exploration exploration,
    Actor actor) {

  /** What placements are rewarded for, and when that is measured. */
  public record Task(
      Objective objective,
      Rewards rewards,
      Credit credit,
      double settleSeconds,
      double windowSeconds) {
    public Task {
      check(
          settleSeconds >= 0 && windowSeconds > 0 && windowSeconds <= 300,
          "need settle >= 0 and window 1..300 seconds, got "
              + settleSeconds
              + " and "
              + windowSeconds);
      check(
          rewards.equals(Rewards.USAGE) || credit == Credit.DIFFERENCE,
          "credit " + credit + " knows the cost of usage only, not rewards " + rewards);
    }

    /** Whether rewards are known when a pod is placed, without waiting for a measurement. */
    public boolean immediate() {
      return rewards.immediate(objective == Objective.REQUESTS);
    }
  }

  /** Whether the agent corrects the base score, and how far. */
  public record Correction(boolean residual, double clip) {
    public Correction {
      check(clip >= 0, "clip must not be negative, got " + clip);
    }
  }

  /** The network and what it sees. */
  public record Architecture(List<Integer> hidden, boolean context) {
    public Architecture {
      hidden = List.copyOf(hidden);
    }
  }

  /** Gradient steps. */
  public record Learning(
      double learningRate,
      int batchSize,
      int learningStarts,
      int trainFrequency,
      double maxGradNorm) {
    public Learning {
      check(learningRate > 0, "learning-rate must be above 0, got " + learningRate);
      check(batchSize >= 1, "batch-size must be at least 1, got " + batchSize);
      check(trainFrequency >= 1, "train-frequency must be at least 1, got " + trainFrequency);
    }
  }

  /** What is remembered. */
  public record Replay(int bufferSize, int width) {
    public Replay {
      check(width >= 2, "width must be at least 2, got " + width);
    }
  }

  /** How later rewards count. */
  public record Bootstrap(double gamma, int nStep, double tau, int targetNetworkFrequency) {
    public Bootstrap {
      check(gamma >= 0 && gamma <= 1, "gamma must be 0..1, got " + gamma);
      check(nStep >= 1, "n-step must be at least 1, got " + nStep);
      check(tau > 0 && tau <= 1, "tau must be above 0 and at most 1, got " + tau);
      check(
          targetNetworkFrequency >= 1,
          "target-network-frequency must be at least 1, got " + targetNetworkFrequency);
    }
  }

  /** Epsilon-greedy, falling linearly. */
  public record Exploration(double startE, double endE, int explorationDecisions) {
    public Exploration {
      check(
          startE >= 0 && startE <= 1 && endE >= 0 && endE <= 1,
          "start-e and end-e must be 0..1, got " + startE + " and " + endE);
    }

    /** Exploration after some decisions. */
    public double epsilon(long decisions) {
      double progress = Math.min(1, (double) decisions / Math.max(1, explorationDecisions));
      return startE + (endE - startE) * progress;
    }
  }

  /** The softmax of an actor. */
  public record Actor(double temperature, double entCoef) {
    public Actor {
      check(temperature > 0, "temperature must be above 0, got " + temperature);
    }
  }

  public AgentConfig {
    check(
        !correction.residual || (!kind.plain() && task.credit == Credit.DIFFERENCE),
        "a residual corrects differences between candidates: it cannot be "
            + kind.id()
            + " with credit "
            + task.credit);
    // Decisions that are all alike fill one stratum of the replay, and no more than that.
    int perStratum = ReplayBuffer.perStratum(replay.bufferSize);
    check(
        learning.learningStarts <= perStratum,
        "learning could never start: of decisions that are perStratum, bufferSize="
            + replay.bufferSize
            + " keeps "
            + perStratum
            + ", and learningStarts="
            + learning.learningStarts
            + " waits for more; give a bufferSize of at least "
            + (long) ReplayBuffer.STRATA * learning.learningStarts
            + ", or learningStarts of at most "
            + perStratum);
  }

  public static AgentConfig defaults(AgentKind kind) {
    return new Parameters(kind).build();
  }

  /** The same agent with some parameters changed. */
  public AgentConfig with(Consumer<Parameters> change) {
    Parameters parameters = new Parameters(this);
    change.accept(parameters);
    return parameters.build();
  }

  /** The same agent alone: random weights, no base score under it, and so free to explore. */
  public AgentConfig alone() {
    return with(Parameters::alone);
  }

  /** The parameters as lines {@code name=value}. */
  public String text() {
    return ParameterText.write(new Parameters(this));
  }

  /**
   * Reads {@link #text}.
   *
   * @throws IllegalArgumentException naming the parameter that is missing, unknown or wrong
   */
  public static AgentConfig parse(String text) {
    return ParameterText.read(text).build();
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
