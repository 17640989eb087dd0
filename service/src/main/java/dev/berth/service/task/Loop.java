package dev.berth.service.task;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A thread that takes one step after the other. After a step that fails it takes the next one, a
 * second later. Thread-safe.
 */
public final class Loop {
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 1_000;

  /** One turn. */
  @FunctionalInterface
  public interface Step {
    /**
     * Does what there is to do, or waits for it a short while.
     *
     * @return whether there was anything to do
     */
    boolean run() throws InterruptedException;
  }

  private final Step step;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private volatile boolean closing;

  Loop(Step step, Consumer<Throwable> failed, Function<Runnable, Thread> threads) {
    this.step = step;
    this.failed = failed;
    this.thread = threads.apply(this::run);
  }

  /** Takes the first step. */
  public Loop start() {
    thread.start();
    return this;
  }

  private void run() {
    boolean more = true;
    while (more || !closing) {
      try {
        more = turn();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private boolean turn() throws InterruptedException {
    try {
      return step.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) { // whatever it is, the next step may be better
      failed.accept(e);
      if (!closing) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE_MILLIS);
      }
      return false;
    }
  }

  public boolean alive() {
    return thread.isAlive();
  }

  /** Ends after the step that finds nothing more to do, or when the time is up. */
  public void close(Duration most) {
    closing = true;
    try {
      thread.join(most.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
