package dev.berth.service.task;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the service's own threads: daemons all of them, named after their task. A task that fails
 * is logged and counted, and its next turn comes all the same. Thread-safe.
 */
public final class Tasks {
  private static final Logger log = LoggerFactory.getLogger(Tasks.class);

  private final Function<String, Runnable> failures;

  /**
   * @param failures gives, for the name of a task that is to be started, what is run whenever it
   *     fails: so its count can be shown before there is anything to count
   */
  public Tasks(Function<String, Runnable> failures) {
    this.failures = failures;
  }

  /** A thread for a task that looks after itself; not started yet. */
  public Thread thread(String name, Runnable task) {
    return daemon(name, guarded(name, task));
  }

  /** Takes one step after the other until it is closed. */
  public Loop loop(String name, Loop.Step step) {
    Runnable count = failures.apply(name);
    return new Loop(step, e -> failed(name, e, count), body -> daemon(name, body));
  }

  /** Runs a task again and again, the first time after one pause; until it is shut down. */
  public ScheduledExecutorService every(String name, Duration pause, Runnable task) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons(name));
    timer.scheduleWithFixedDelay(
        guarded(name, task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    return timer;
  }

  /** Runs a task at a fixed rate, the first time at once; until it is shut down. */
  public ScheduledExecutorService atRate(String name, Duration period, Runnable task) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons(name));
    timer.scheduleAtFixedRate(guarded(name, task), 0, period.toNanos(), TimeUnit.NANOSECONDS);
    return timer;
  }

  /** Threads that wait for work; whoever submits it looks at what it returns or throws. */
  public ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(threads, daemons(name));
  }

  /** A new thread for every task: for what is rare. */
  public Executor threadPerTask(String name) {
    return task -> thread(name, task).start();
  }

  private Runnable guarded(String name, Runnable task) {
    Runnable count = failures.apply(name);
    return () -> {
      try {
        task.run();
      } catch (Throwable e) { // SQLite may throw errors too; a timer would stop in silence
        failed(name, e, count);
      }
    };
  }

  private static void failed(String name, Throwable e, Runnable count) {
    count.run();
    log.error("task {} failed", name, e);
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return body -> daemon(name + "-" + count.incrementAndGet(), body);
  }

  private static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }
}
