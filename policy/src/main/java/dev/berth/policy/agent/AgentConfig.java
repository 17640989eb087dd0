package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.reward.RewardTerm;
import dev.berth.policy.reward.Rewards;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Hyper-parameters, named as in CleanRL.
 *
 * @param kind which agent
 * @param objective the load that balance and overload are about
 * @param rewards what a placement is rewarded for
 * @param credit how the measured outcome is credited to the candidates
 * @param context whether rows say how a candidate compares with the others; off in ablations only
 * @param residual whether the agent corrects the base score, or scores alone
 * @param clip largest correction of a residual, in units of node usage; higher trusts the network
 *     more, 0 is the base alone
 * @param hidden widths of the hidden layers
 * @param learningRate of Adam
 * @param bufferSize transitions remembered
 * @param gamma discount; 0 for live load, where 0.9 chases noise
 * @param nStep rewards summed before the target network's estimate takes over
 * @param tau share of the online weights that goes into the target network at each copy
 * @param targetNetworkFrequency gradient steps between copies to the target network
 * @param batchSize decisions per gradient step
 * @param width candidates remembered of each decision, the chosen one among them
 * @param startE exploration at the start
 * @param endE exploration at the end
 * @param explorationDecisions decisions over which it falls, linearly
 * @param learningStarts transitions before the first gradient step
 * @param trainFrequency settled decisions per gradient step
 * @param maxGradNorm clip of the gradient's norm
 * @param temperature of the actor's softmax, in units of reward
 * @param entCoef weight of the entropy; equal to the temperature, Q converges to the reward itself
 * @param settleSeconds from a placement to the start of its measured window; at least as long as
 *     the window of the rates that samples are
 * @param windowSeconds length of the measured window, at most 300; longer is less noisy
 */
public record AgentConfig(
    AgentKind kind,
    Objective objective,
    Rewards rewards,
    Credit credit,
    boolean context,
    boolean residual,
    double clip,
    List<Integer> hidden,
    double learningRate,
    int bufferSize,
    double gamma,
    int nStep,
    double tau,
    int targetNetworkFrequency,
    int batchSize,
    int width,
    double startE,
    double endE,
    int explorationDecisions,
    int learningStarts,
    int trainFrequency,
    double maxGradNorm,
    double temperature,
    double entCoef,
    double settleSeconds,
    double windowSeconds) {

  public static AgentConfig defaults(AgentKind kind) {
    AgentConfig config = differences(kind);
    return kind.plain() ? config.alone().with("credit", Credit.CLUSTER).with("gamma", 0.9) : config;
  }

  private static AgentConfig differences(AgentKind kind) {
    return new AgentConfig(
        kind,
        Objective.USAGE,
        Rewards.USAGE,
        Credit.DIFFERENCE,
        true,
        !kind.plain(),
        0.01,
        List.of(32, 32),
        1e-3,
        20_000,
        0,
        1,
        1,
        500,
        32,
        12,
        0.2,
        0.02,
        2_000,
        200,
        1,
        10,
        0.2,
        0.2,
        45,
        300);
  }

  public AgentConfig {
    hidden = List.copyOf(hidden);
    check(clip >= 0, "clip must not be negative, got " + clip);
    check(gamma >= 0 && gamma <= 1, "gamma must be 0..1, got " + gamma);
    check(
        batchSize >= 1 && width >= 2,
        "need batch size >= 1 and width >= 2, got " + batchSize + " and " + width);
    check(learningRate > 0, "learning rate must be positive, got " + learningRate);
    check(
        startE >= 0 && startE <= 1 && endE >= 0 && endE <= 1,
        "exploration must be 0..1, got " + startE + " and " + endE);
    check(trainFrequency >= 1 && targetNetworkFrequency >= 1, "frequencies must be at least 1");
    check(nStep >= 1 && tau > 0 && tau <= 1, "need n-step >= 1 and tau in (0, 1]");
    check(
        settleSeconds >= 0 && windowSeconds > 0 && windowSeconds <= 300,
        "need settle >= 0 and window 1..300 seconds, got "
            + settleSeconds
            + " and "
            + windowSeconds);
    check(
        !residual || (!kind.plain() && credit == Credit.DIFFERENCE),
        "a residual corrects differences between candidates: it cannot be "
            + kind.id()
            + " with credit "
            + credit);
    check(
        rewards.equals(Rewards.USAGE) || credit == Credit.DIFFERENCE,
        "credit " + credit + " knows the cost of usage only, not rewards " + rewards);
    check(temperature > 0, "temperature must be positive, got " + temperature);
  }

  /** The same agent alone: random weights, no base score under it, and so free to explore. */
  public AgentConfig alone() {
    return with("residual", false).with("startE", 1.0).with("endE", 0.0);
  }

  /** The same agent with rewards that are measured earlier or later. */
  public AgentConfig withTiming(double settle, double window) {
    return with("settleSeconds", settle).with("windowSeconds", window);
  }

  /** The same agent with another safety dial and another amount of patience before it learns. */
  public AgentConfig withSafety(double newClip, int starts) {
    return with("clip", newClip).with("learningStarts", starts);
  }

  /** The same settings but for one, by its name here. */
  public AgentConfig with(String name, Object value) {
    return parse(text() + "\n" + name + "=" + Settings.text(value));
  }

  /** The settings as lines {@code name=value}. */
  public String text() {
    return Settings.write(this);
  }

  /**
   * Reads {@link #text}; of two lines for one name the later counts.
   *
   * @throws IllegalArgumentException naming the setting that is missing or wrong
   */
  public static AgentConfig parse(String text) {
    return Settings.read(text);
  }

  /**
   * Weights to start from: random for an agent alone; for a residual the outputs are silent, so
   * that it starts exactly at its base.
   */
  public Weights initial(RandomGenerator random) {
    Weights drawn = Weights.random(network(), random);
    return residual ? drawn.withSilentOutputs() : drawn;
  }

  /** The shape of this agent's network. */
  public NetworkSpec network() {
    return kind.network(hidden, rewards.seen().size());
  }

  /** The rows of a decision as this agent sees them. */
  FeatureRows rows(Decision d, Forecast forecast) {
    FeatureRows rows = FeatureRows.of(d, forecast);
    rows = context ? rows : rows.withoutContext();
    for (RewardTerm.Sight sight : rewards.sights(d)) {
      rows = rows.with(sight.before(), sight.after());
    }
    return rows;
  }

  /** Whether rewards are known when a pod is placed, without waiting for a measurement. */
  public boolean immediate() {
    return rewards.immediate(objective == Objective.REQUESTS);
  }

  /** Exploration after some decisions. */
  public double epsilon(long decisions) {
    double progress = Math.min(1, (double) decisions / Math.max(1, explorationDecisions));
    return startE + (endE - startE) * progress;
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
