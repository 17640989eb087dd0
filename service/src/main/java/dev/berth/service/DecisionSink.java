package dev.berth.service;

import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.store.ExperienceStore;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a decision after its answer is on the way: one thread, a bounded queue, and
 * nothing that the scheduler waits for.
 */
final class DecisionSink implements ScorerSink, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DecisionSink.class);
  private static final int QUEUE = 1_000;
  private final ExperienceStore store;
  private final NodeTable nodes;
  private final LongAdder dropped = new LongAdder();
  private final ThreadPoolExecutor after;
  private volatile Consumer<DecisionRecord> learner = decision -> {};

  /** Sets who learns from decisions; nobody at first. */
  void learner(Consumer<DecisionRecord> consumer) {
    learner = consumer;
  }

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
  public void decided(DecisionRecord decision) {
    after.execute(
        () -> {
          nodes.update(decision.request().candidates(), decision.at());
          store.decided(decision);
          Consumer<DecisionRecord> next = learner;
          if (decision.reply().reason() == null) {
            next.accept(decision);
          }
        });
  }

  @Override
  public void forgotten(List<String> podUids) {
    store
        .forget(podUids)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                log.info("{} pods ended unseen: a full list does not name them", podUids.size());
              } else {
                log.warn("{} ended pods could not be forgotten", podUids.size(), failure);
              }
            });
  }

  @Override
  public void close() throws InterruptedException {
    after.shutdown();
    after.awaitTermination(5, TimeUnit.SECONDS);
  }
}
