package dev.berth.service.trainer;

import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.PromotionGate.Verdict;
import dev.berth.service.task.Tasks;
import dev.berth.simulator.learning.ScenarioGate;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays candidates on the fixed scenarios, one at a time, in a thread of its own, so that neither
 * scoring nor learning waits; what passes is promoted. Thread-safe.
 */
final class ScenarioTrials implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ScenarioTrials.class);

  private final ScenarioGate gate;
  private final ModelServing models;
  private final ExecutorService thread;
  private volatile boolean busy;
  private volatile @Nullable String healthProblem;

  ScenarioTrials(ScenarioGate gate, ModelServing models, Tasks tasks) {
    this.gate = gate;
    this.models = models;
    this.thread = tasks.pool("promotion-gate", 1);
  }

  boolean busy() {
    return busy;
  }

  /** Why candidates cannot be tried; empty when they can. */
  Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }

  /** Begins to try a candidate that passed on held-out decisions. Call when not {@link #busy}. */
  void begin(BalanceModel candidate, long transitions, String heldOut) {
    busy = true;
    thread.execute(() -> tryIt(candidate, transitions, heldOut));
  }

  private void tryIt(BalanceModel candidate, long transitions, String heldOut) {
    long start = System.nanoTime();
    try {
      Verdict verdict = gate.judge(models.servingWeights(), candidate.weights());
      log.info(
          "gradient step {}: {} after {} s of fixed scenarios ({})",
          candidate.moments().step(),
          verdict.promote() ? "promoted" : "kept back",
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
          verdict.reason());
      if (verdict.promote()) {
        models.promote(candidate, transitions, heldOut + "; " + verdict.reason());
      }
      healthProblem = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      healthProblem = "the promotion gate failed, so no newer model is promoted: " + e;
      log.error("the promotion gate failed; what serves goes on", e);
    } finally {
      busy = false;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
