package dev.berth.service;

import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.queue.ByteQueue;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.trainer.Trainer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a decision after its answer is on the way, and to its outcome after that: one
 * thread, a queue of bounded bytes, and nothing that the scheduler waits for.
 */
final class DecisionSink implements ScorerSink, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DecisionSink.class);
  private static final int EVENT_BYTES = 500;

  private final ExperienceStore store;
  private final NodeTable nodes;
  private final ByteQueue<Runnable> queue;
  private final Thread thread = new Thread(this::run, "after-decision");
  private volatile boolean closing;
  private volatile @Nullable Trainer learner;

  DecisionSink(ExperienceStore store, NodeTable nodes, long queueBytes, ServiceMetrics metrics) {
    this.store = store;
    this.nodes = nodes;
    queue = new ByteQueue<>(queueBytes);
    metrics.dropped("after-decision", queue::dropped);
    thread.setDaemon(true);
    thread.start();
  }

  /** Sets who learns from decisions; nobody at first. */
  void learner(Trainer next) {
    learner = next;
  }

  @Override
  public void decided(DecisionRecord decision) {
    queue.offer(
        () -> {
          nodes.update(decision.request().candidates(), decision.at());
          store.decided(decision);
          Trainer next = learner;
          if (next != null) {
            next.decided(decision);
          }
        },
        decision.bytes());
  }

  @Override
  public void happened(List<OutcomeEvent> events) {
    Trainer next = learner;
    List<OutcomeEvent> ofDecisions = events.stream().filter(e -> e.decision() != null).toList();
    if (next != null && !ofDecisions.isEmpty()) {
      queue.offer(() -> next.happened(ofDecisions), (long) EVENT_BYTES * ofDecisions.size());
    }
  }

  private void run() {
    while (!closing || queue.size() > 0) {
      try {
        Runnable next = queue.poll(100, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
      } catch (InterruptedException e) {
        closing = true;
      } catch (RuntimeException e) {
        log.error("a decision could not be recorded", e);
      }
    }
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
    closing = true;
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}
