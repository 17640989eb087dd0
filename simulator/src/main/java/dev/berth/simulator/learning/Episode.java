package dev.berth.simulator.learning;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.Exploration;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.network.Weights;
import dev.berth.policy.state.ClusterState;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.learning.Lessons.Lesson;
import dev.berth.simulator.scenario.Scenario;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario during which the agent places pods, explores, and learns from what it sees:
 * decisions, samples and time, as the live service would hear them.
 */
public final class Episode implements Policy, SimulationListener {
  private final AgentConfig config;
  private final OnlineLearner learner;
  private final Exploration exploration;
  private final @Nullable Lesson lesson;
  private final long decisionsBefore;
  private final int[] actions;
  private LearnedPolicy policy;
  private @Nullable ClusterState state;
  private long decisions;
  private int sinceStep;

  /**
   * @param lesson a teacher that places pods in the agent's stead; null for the agent itself
   * @param decisionsBefore decisions of earlier episodes, for the exploration schedule
   */
  Episode(
      OnlineLearner learner,
      @Nullable Lesson lesson,
      long decisionsBefore,
      RandomGenerator random) {
    this.config = learner.config();
    this.learner = learner;
    this.lesson = lesson;
    this.decisionsBefore = decisionsBefore;
    this.exploration =
        new Exploration(
            config.correction().residual() ? Exploration.Limits.LIVE : Exploration.Limits.FREE,
            random);
    this.policy = new LearnedPolicy(config, learner.weights());
    this.actions = new int[10];
  }

  /** Plays the episode to its end. */
  Outcome play(Scenario scenario, long seed) {
    RunMetrics metrics = new RunMetrics(scenario);
    new Simulation(scenario, seed, context -> this).listen(metrics).listen(this).run();
    return new Outcome(scenario.name(), decisions, metrics.values(), actions.clone());
  }

  @Override
  public String name() {
    return config.kind().id();
  }

  @Override
  public void score(Decision d, double[] preferences) {
    if (lesson != null) {
      lesson.teacher().score(d, preferences);
      return;
    }
    Weights latest = learner.weights();
    if (policy.weights() != latest) {
      policy = new LearnedPolicy(config, latest);
    }
    LearnedPolicy.Explanation e = policy.explain(d);
    System.arraycopy(e.preferences(), 0, preferences, 0, preferences.length);
    double epsilon = config.exploration().epsilon(decisionsBefore + decisions);
    Exploration.Choice choice =
        exploration.choose(d, preferences, e.state().forecast().before()[0], epsilon);
    if (choice.explored()) {
      double best = Double.NEGATIVE_INFINITY;
      for (double p : preferences) {
        best = Math.max(best, p);
      }
      preferences[choice.candidate()] = best + 1;
    }
  }

  @Override
  public void decided(Decision d, double[] preferences, int chosen) {
    state = d.state();
    decisions++;
    actions[Math.min(9, 10 * chosen / d.candidates().size())]++;
    if (lesson != null && lesson.manner() == Lessons.Manner.IMITATES) {
      learner.imitate(d, preferences, chosen);
      learn(1);
      return;
    }
    learner.decided(d, chosen);
    learn(config.task().immediate() ? 1 : 0);
  }

  @Override
  public void advanced(Cluster truth, double from, double seconds) {
    if (state != null) {
      learn(learner.advance(from + seconds, state));
    }
  }

  private void learn(int settled) {
    sinceStep += settled;
    learner.train(sinceStep / config.learning().trainFrequency());
    sinceStep %= config.learning().trainFrequency();
  }

  /**
   * What became of an episode.
   *
   * @param actions how often each tenth of the candidates was chosen, {@code [10]}
   */
  public record Outcome(
      String scenario, long decisions, Map<Metric, Double> metrics, int[] actions) {}
}
