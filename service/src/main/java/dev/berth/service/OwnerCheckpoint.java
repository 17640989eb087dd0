package dev.berth.service;

import dev.berth.policy.state.LearnedState;
import dev.berth.service.registry.AtomicFile;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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

  private final SharedState shared;
  private final Path file;
  private final ScheduledExecutorService timer;
  private int restored;
  private volatile int kept;
  private volatile @Nullable String healthProblem;

  private OwnerCheckpoint(SharedState shared, Path file, Duration every, Tasks tasks) {
    this.shared = shared;
    this.file = file;
    restore();
    timer = tasks.every("owner-checkpoint", every, this::keep);
  }

  /**
   * Takes up what the last process knew, once the running pods are back and before the first
   * sample; then begins to write. A file that cannot be used is no reason not to start: it is set
   * aside.
   */
  static OwnerCheckpoint restore(SharedState shared, Path file, Duration every, Tasks tasks) {
    return new OwnerCheckpoint(shared, file, every, tasks);
  }

  private void restore() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      LearnedState learned = LearnedState.decode(Files.readAllBytes(file));
      shared.with(state -> learned.into(state, shared.now()));
      restored = learned.owners();
      log.info(
          "what was learned of {} owners is known again; it is {} s old",
          restored,
          Math.round(shared.now() - learned.at()));
    } catch (IOException | IllegalArgumentException e) {
      log.warn(
          "{} is not used: {}; owners' usage is learned anew, the file is kept as {}.refused",
          file,
          e.getMessage(),
          file.getFileName());
      setAside();
    }
  }

  private void setAside() {
    try {
      AtomicFile.write(
          file.resolveSibling(file.getFileName() + ".refused"), Files.readAllBytes(file));
    } catch (IOException e) {
      log.warn("{} could not be kept", file, e);
    }
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
      shared.with(state -> copy[0] = new LearnedState.Copy(state, shared.now()));
      boolean[] more = {true};
      while (more[0]) {
        shared.with(state -> more[0] = copy[0].more(PORTION));
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
