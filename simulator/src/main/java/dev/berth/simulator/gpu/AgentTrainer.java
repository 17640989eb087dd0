package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPlacer;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.agent.AgentLearner;
import dev.berth.policy.gpu.agent.AgentModel;
import dev.berth.policy.gpu.agent.AgentPolicy;
import dev.berth.policy.learning.AgentKind;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Trains a general agent on fill-ups: an episode on each trace in turn, gradient steps after each.
 * Every second round the agent is judged on validation seeds against FGD; the best of these
 * checkpoints wins.
 */
public final class AgentTrainer {

  /**
   * Hyper-parameters.
   *
   * @param demand GPU demand of an episode, times capacity
   * @param episodes episodes per trace
   * @param hidden units of each hidden layer
   * @param updates gradient steps in all
   * @param batch rows per step
   * @param rate first learning rate, falls to a fiftieth linearly
   * @param temperature of an actor's softmax, GPUs
   * @param validationSeeds seeds of the comparison with FGD
   * @param seed of everything random in training
   */
  public record Config(
      AgentKind kind,
      double demand,
      int episodes,
      int hidden,
      int updates,
      int batch,
      double rate,
      double temperature,
      List<Long> validationSeeds,
      long seed) {}

  /** A checkpoint with what it reached. */
  public record Checkpoint(AgentModel model, String description, double objective) {}

  private static final int JUDGE_EVERY = 2;

  private final Config config;
  private final Map<String, Double> goals;
  private final Consumer<String> log;

  /**
   * Sets up a training.
   *
   * @param goals wanted gain over FGD in points by trace name; {@value Validation#DEFAULT_GOAL} for
   *     a trace not named
   * @param log one line per step
   */
  public AgentTrainer(Config config, Map<String, Double> goals, Consumer<String> log) {
    this.config = config;
    this.goals = Map.copyOf(goals);
    this.log = log;
  }

  public Checkpoint train(List<GpuTrace> traces) {
    RandomGenerator random = RandomGeneratorFactory.of(FillUp.GENERATOR).create(config.seed);
    AgentLearner learner =
        AgentLearner.of(
            config.kind,
            new AgentLearner.LearningConfig(
                config.hidden, config.batch, config.temperature, random));
    List<Validation> validations =
        Validation.of(traces, config.demand, goals, config.validationSeeds);
    int episodes = config.episodes * traces.size();
    Checkpoint best = null;
    for (int episode = 0; episode < episodes; episode++) {
      GpuTrace trace = traces.get(episode % traces.size());
      double progress = episode / (double) episodes;
      run(trace, learner, progress, config.seed * 1_000 + episode);
      int steps = config.updates / episodes;
      for (int step = 0; step < steps; step++) {
        double done = (episode + step / (double) steps) / episodes;
        learner.update(config.rate * (1 - 0.98 * done));
      }
      int rounds = (episode + 1) / traces.size();
      boolean last = episode + 1 == episodes;
      if ((episode + 1) % traces.size() == 0 && (rounds % JUDGE_EVERY == 0 || last)) {
        Checkpoint now = judged(learner.model(), rounds, validations);
        if (best == null || now.objective > best.objective) {
          best = now;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no episode, no agent: raise --episodes above 0");
    }
    return best;
  }

  private void run(GpuTrace trace, AgentLearner learner, double progress, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of(FillUp.GENERATOR).create(seed);
    List<PodRequests> arrivals = Arrivals.fillUp(trace, config.demand, random);
    GpuNode[] nodes = FillUp.shuffledNodes(trace, random);
    AgentPolicy policy = learner.model().policy(config.kind.id(), GpuPolicies.profile(trace));
    GpuPlacer placer = new GpuPlacer(nodes, policy, TieRule.RANDOM, random);
    Fragmentation fragmentation =
        new Fragmentation(TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE));
    AgentLearner.Episode episode = learner.begin(policy, nodes, fragmentation);
    for (PodRequests pod : arrivals) {
      if (placer.misfit(pod) == Misfit.NONE) {
        int row = episode.choose(pod, placer.scores(pod), progress);
        placer.place(row, pod);
        episode.placed(row);
      }
    }
    episode.end();
  }

  private Checkpoint judged(AgentModel model, int rounds, List<Validation> validations) {
    Validation.Judgement judgement = Validation.judge(model, validations);
    String description =
        "%s after %d episodes a trace: objective %+.2f;%s"
            .formatted(config.kind.id(), rounds, judgement.worst(), judgement.text());
    log.accept(description);
    return new Checkpoint(model, description, judgement.worst());
  }
}
