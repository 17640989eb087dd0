package dev.berth.service;

import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.store.ExperienceStore;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * What happens to a decision after its answer is on the way: one thread, a bounded queue, and
 * nothing that the scheduler waits for.
 */
final class DecisionSink implements Consumer<DecisionRecord>, AutoCloseable {
  private static final int QUEUE = 1_000;
  private final ExperienceStore store;
  private final NodeTable nodes;
  private final LongAdder dropped = new LongAdder();
  private final ThreadPoolExecutor after;

  DecisionSink(ExperienceStore store, NodeTable nodes, ServiceMetrics metrics) {
    this.store = store;
    this.nodes = nodes;
    after =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            runnable -> {
              Thread thread = new Thread(runnable, "after-decision");
              thread.setDaemon(true);
              return thread;
            },
            (task, pool) -> dropped.increment());
    metrics.dropped("after-decision", dropped::sum);
  }

  @Override
  public void accept(DecisionRecord decision) {
    after.execute(
        () -> {
          nodes.update(decision.request().candidates());
          store.decided(decision);
        });
  }

  @Override
  public void close() throws InterruptedException {
    after.shutdown();
    after.awaitTermination(5, TimeUnit.SECONDS);
  }
}
