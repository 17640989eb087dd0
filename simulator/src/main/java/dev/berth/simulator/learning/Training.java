package dev.berth.simulator.learning;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.HeldOut;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.agent.PromotionGate;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.evidence.Looks;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.simulator.learning.Episode.Outcome;
import dev.berth.simulator.learning.Lessons.Lesson;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.Draws;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A training run: episodes over scenarios until enough decisions were made. Everything random in
 * episode k comes from (seed, k), so a run resumed from {@link #checkpoint} goes on bit by bit as
 * if it had not stopped.
 *
 * <pre>{@code
 * Training training = Training.start(plan);
 * while (!training.finished()) {
 *   training.episode();
 * }
 * byte[] model = training.model().encode();
 * }</pre>
 */
public final class Training {
  /** Training runs use the seeds below those of evaluations. */
  private static final int SEEDS = 9000;

  private final Plan plan;
  private final OnlineLearner learner;
  private final PromotionGate gate;
  private final Looks looks = PromotionGate.looks();
  private Weights served;
  private long episodes;
  private long decisions;

  /**
   * What is to be trained.
   *
   * @param totalTimesteps decisions; the episode that reaches it is played to its end
   * @param lessons what other policies show it first
   */
  public record Plan(
      AgentConfig config,
      List<Scenario> scenarios,
      long seed,
      long totalTimesteps,
      Lessons lessons) {
    public Plan {
      scenarios = List.copyOf(scenarios);
      if (config.correction().residual() && lessons.imitated() > 0) {
        throw new IllegalArgumentException(
            "a warm start is for an agent alone: a residual starts exactly at its base");
      }
      if (scenarios.isEmpty()) {
        throw new IllegalArgumentException("training needs at least one scenario");
      }
    }
  }

  private Training(Plan plan, Weights weights, Weights served, Adam adam) {
    this.plan = plan;
    this.served = served;
    this.learner =
        new OnlineLearner(plan.config(), weights, adam, Draws.stream(plan.seed(), "train/unused"));
    this.gate = new PromotionGate(plan.config());
  }

  /**
   * Starts from new weights: random for an agent alone, for a residual random but for a silent last
   * layer, so that it begins exactly at its base.
   */
  public static Training start(Plan plan) {
    Weights weights =
        AgentNetwork.initial(plan.config(), Draws.stream(plan.seed(), "train/weights"));
    Adam adam = new Adam(weights.spec(), plan.config().learning().learningRate());
    return new Training(plan, weights, weights, adam);
  }

  /**
   * Fills the replay buffer from a recorded run before the first episode; returns its decisions,
   * which do not count as the agent's.
   */
  public long prefill(Path record) throws IOException {
    learner.episodeBegins(Draws.stream(plan.seed(), "train/record/" + record.getFileName()));
    return RecordedRun.play(record, learner);
  }

  public boolean finished() {
    return decisions >= plan.totalTimesteps();
  }

  /** Decisions so far. */
  public long decisions() {
    return decisions;
  }

  /** Plays one episode and learns from it; then asks the gate whether the weights may serve. */
  public Report episode() {
    SplittableRandom random = Draws.stream(plan.seed(), "train/episode/" + episodes);
    int count = plan.scenarios().size();
    Scenario scenario = plan.scenarios().get(turn(episodes, count));
    learner.episodeBegins(random.split());
    if (plan.lessons().graduatesBefore(episodes)) {
      learner.forget();
      served = learner.weights();
    }
    Lesson lesson = plan.lessons().lesson(episodes, random.split());
    Outcome outcome =
        new Episode(learner, lesson, decisions, random.split())
            .play(scenario, 1 + random.nextInt(SEEDS));
    episodes++;
    decisions += outcome.decisions();
    return new Report(episodes, decisions, outcome, learner.progress(), judged());
  }

  private PromotionGate.Verdict judged() {
    List<HeldOut> heldOut = learner.heldOut();
    if (!looks.due(learner.everHeldOut(), heldOut.size())) {
      return new PromotionGate.Verdict(false, "too few new held-out decisions", Estimate.NONE);
    }
    double level = looks.take(learner.everHeldOut());
    PromotionGate.Verdict verdict = gate.judge(served, learner.weights(), heldOut, level);
    if (verdict.promote()) {
      served = learner.weights();
      looks.restart();
    }
    return verdict;
  }

  /** Every scenario comes once per round, in an order of the round's own. */
  private int turn(long episode, int count) {
    SplittableRandom random = Draws.stream(plan.seed(), "train/round/" + episode / count);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order[(int) (episode % count)];
  }

  /** The weights that the gate let through last. */
  public BalanceModel model() {
    OnlineLearner.Progress p = learner.progress();
    return BalanceModel.of(plan.config(), served, learner.moments(), p.steps(), p.settled());
  }

  /** The newest weights, whatever the gate says of them. */
  public BalanceModel latest() {
    OnlineLearner.Progress p = learner.progress();
    return BalanceModel.of(
        plan.config(), learner.weights(), learner.moments(), p.steps(), p.settled());
  }

  /** Everything needed to go on; call between episodes. */
  public byte[] checkpoint() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Weights w : List.of(learner.weights(), served)) {
        byte[] model = BalanceModel.of(plan.config(), w, learner.moments(), 0, 0).encode();
        out.writeInt(model.length);
        out.write(model);
      }
      Settings.of(plan).write(out);
      out.writeLong(episodes);
      out.writeLong(decisions);
      looks.write(out);
      learner.save(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Goes on from a checkpoint.
   *
   * @throws IllegalArgumentException if the checkpoint is damaged, or is of other settings than the
   *     plan's
   */
  public static Training resume(Plan plan, byte[] checkpoint) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(checkpoint))) {
      BalanceModel latest = BalanceModel.decode(in.readNBytes(in.readInt()));
      BalanceModel served = BalanceModel.decode(in.readNBytes(in.readInt()));
      String differs = Settings.read(in).against(Settings.of(plan));
      if (!differs.isEmpty()) {
        throw new IllegalArgumentException(
            "the checkpoint was made with %s: give the same options, or choose another --out"
                .formatted(differs));
      }
      Adam adam =
          new Adam(
              latest.weights().spec(), plan.config().learning().learningRate(), latest.moments());
      Training training = new Training(plan, latest.weights(), served.weights(), adam);
      training.episodes = in.readLong();
      training.decisions = in.readLong();
      training.looks.resume(in);
      training.learner.resume(in);
      return training;
    } catch (IOException e) {
      throw new IllegalArgumentException("the checkpoint is cut short: start without it", e);
    }
  }

  /**
   * One episode's report.
   *
   * @param decisions of all episodes so far
   */
  public record Report(
      long episode,
      long decisions,
      Outcome outcome,
      OnlineLearner.Progress progress,
      PromotionGate.Verdict verdict) {
    public String scenario() {
      return outcome.scenario();
    }
  }
}
