package dev.berth.service;

import dev.berth.policy.state.LearnedState;
import dev.berth.service.registry.AtomicFile;
import dev.berth.service.scoring.Scorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was learned of owners in a file: reads it at the start, writes it every minute and at
 * the end. Whenever the process dies, the file is whole.
 *
 * <p>The cluster state is copied a few hundred entries at a time, so that no score waits for all of
 * them.
 */
final class OwnerCheckpoint implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OwnerCheckpoint.class);
  private static final int PORTION = 500;

  private final Scorer scorer;
  private final Path file;
  private final Duration every;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          runnable -> {
            Thread thread = new Thread(runnable, "owner-checkpoint");
            thread.setDaemon(true);
            return thread;
          });
  private int restored;
  private volatile int kept;
  private volatile @Nullable String healthProblem;

  OwnerCheckpoint(Scorer scorer, Path file, Duration every) {
    this.scorer = scorer;
    this.file = file;
    this.every = every;
  }

  /**
   * Takes up what the last process knew. Once, after the running pods are back and before the first
   * sample. A file that cannot be used is no reason not to start: it is set aside.
   */
  OwnerCheckpoint restore() {
    if (!Files.exists(file)) {
      return this;
    }
    try {
      LearnedState learned = LearnedState.decode(Files.readAllBytes(file));
      scorer.withState(state -> learned.into(state, scorer.now()));
      restored = learned.owners();
      log.info(
          "what was learned of {} owners is known again; it is {} s old",
          restored,
          Math.round(scorer.now() - learned.at()));
    } catch (IOException | IllegalArgumentException e) {
      log.warn(
          "{} is not used: {}; owners' usage is learned anew, the file is kept as {}.refused",
          file,
          e.getMessage(),
          file.getFileName());
      setAside();
    }
    return this;
  }

  private void setAside() {
    try {
      AtomicFile.write(
          file.resolveSibling(file.getFileName() + ".refused"), Files.readAllBytes(file));
    } catch (IOException e) {
      log.warn("{} could not be kept", file, e);
    }
  }

  OwnerCheckpoint start() {
    timer.scheduleWithFixedDelay(
        this::keep, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  /** Owners that were known again after the start. */
  int restored() {
    return restored;
  }

  /** Owners in the file as it was last written. */
  int kept() {
    return kept;
  }

  /** Why nothing can be kept at present; empty when all is well. */
  Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }

  private void keep() {
    try {
      LearnedState.Copy[] copy = new LearnedState.Copy[1];
      scorer.withState(state -> copy[0] = new LearnedState.Copy(state, scorer.now()));
      boolean[] more = {true};
      while (more[0]) {
        scorer.withState(state -> more[0] = copy[0].more(PORTION));
      }
      LearnedState learned = copy[0].done();
      AtomicFile.write(file, learned.encode());
      kept = learned.owners();
      if (healthProblem != null) {
        log.info("{} is written again", file);
      }
      healthProblem = null;
    } catch (IOException | RuntimeException e) {
      if (healthProblem == null) {
        log.error("what was learned of owners cannot be written to {}", file, e);
      }
      healthProblem = "what was learned of owners cannot be written to " + file + ": " + e;
    }
  }

  /** Writes once more. */
  @Override
  public void close() throws InterruptedException {
    timer.shutdown();
    timer.awaitTermination(5, TimeUnit.SECONDS);
    keep();
  }
}
