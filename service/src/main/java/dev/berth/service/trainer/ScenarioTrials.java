package dev.berth.service.trainer;

import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.PromotionGate.Verdict;
import dev.berth.policy.network.Weights;
import dev.berth.service.task.Tasks;
import dev.berth.simulator.learning.ScenarioGate;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays candidates on the fixed scenarios, one at a time, in a thread of its own, so that neither
 * scoring nor learning waits. Thread-safe.
 */
final class ScenarioTrials implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ScenarioTrials.class);

  private final ScenarioGate gate;
  private final ExecutorService thread;
  private final AtomicReference<@Nullable Played> played = new AtomicReference<>();
  private volatile boolean busy;
  private volatile @Nullable String healthProblem;

  /**
   * A candidate and what the scenarios say of it.
   *
   * @param heldOut why it came here
   */
  record Played(BalanceModel candidate, Verdict heldOut, Verdict verdict) {}

  ScenarioTrials(ScenarioGate gate, Tasks tasks) {
    this.gate = gate;
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
  void begin(Weights serving, BalanceModel candidate, Verdict heldOut) {
    busy = true;
    thread.execute(() -> tryIt(serving, candidate, heldOut));
  }

  /** The last candidate that was through; once. */
  @Nullable Played poll() {
    return played.getAndSet(null);
  }

  private void tryIt(Weights serving, BalanceModel candidate, Verdict heldOut) {
    long start = System.nanoTime();
    try {
      Verdict verdict = gate.judge(serving, candidate.weights());
      log.info(
          "gradient step {}: {} after {} s of fixed scenarios ({})",
          candidate.moments().step(),
          verdict.promote() ? "passed" : "kept back",
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
          verdict.reason());
      played.set(new Played(candidate, heldOut, verdict));
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
