package dev.berth.service;

import dev.berth.service.effect.Effect;
import dev.berth.service.queue.ByteQueue;
import dev.berth.service.regret.Regret;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.RecentDecisions;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.task.Loop;
import dev.berth.service.task.Pacer;
import dev.berth.service.task.Tasks;
import dev.berth.service.trainer.Learner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a decision after its answer is on the way, and to its outcome after that: one
 * thread, a queue of bounded bytes, and nothing that the scheduler waits for.
 */
final class DecisionSink implements ScorerSink, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DecisionSink.class);
  private static final int EVENT_BYTES = 500;

  /** What comes meanwhile is taken together: woken by every answer, the thread was in its way. */
  private static final int GATHER_MILLIS = 2;

  private final ExperienceStore store;
  private final NodeTable nodes;
  private final Learner learner;
  private final Effect effect;
  private final Regret regret;
  private final RecentDecisions recent;
  private final ByteQueue<Runnable> queue;
  private final Pacer pacer = new Pacer();
  private final Loop loop;

  DecisionSink(
      ExperienceStore store,
      NodeTable nodes,
      Learner learner,
      Effect effect,
      Regret regret,
      RecentDecisions recent,
      long queueBytes,
      Tasks tasks) {
    this.store = store;
    this.nodes = nodes;
    this.learner = learner;
    this.effect = effect;
    this.regret = regret;
    this.recent = recent;
    queue = new ByteQueue<>(queueBytes);
    loop = tasks.loop("after-decision", this::next).start();
  }

  /** Decisions and outcomes that nobody was told of, because the queue was full. */
  long dropped() {
    return queue.dropped();
  }

  @Override
  public void decided(DecisionRecord decision) {
    queue.offer(
        () -> {
          nodes.update(decision.request().candidates(), decision.at());
          store.decided(decision);
          learner.decided(decision);
          effect.decided(decision);
          regret.decided(decision);
          recent.add(decision);
          tell(decision);
        },
        decision.bytes());
  }

  private static void tell(DecisionRecord decision) {
    if (log.isDebugEnabled()) {
      ScoreReply reply = decision.reply();
      log.debug(
          "decision {} of {}/{}: {} candidates, {}{}",
          reply.decision(),
          decision.request().pod().namespace(),
          decision.request().pod().name(),
          reply.scores().length,
          reply.policy(),
          reply.reason() == null ? ", best " + decision.best() : ": " + reply.reason());
    }
  }

  @Override
  public void happened(List<OutcomeEvent> events) {
    List<OutcomeEvent> ofDecisions = events.stream().filter(e -> e.decision() != null).toList();
    List<OutcomeEvent> ofPods =
        events.stream().filter(e -> e.decision() != null || !e.type().places()).toList();
    if (!ofPods.isEmpty()) {
      queue.offer(
          () -> {
            learner.happened(ofDecisions);
            effect.happened(ofPods);
            regret.happened(ofDecisions);
          },
          (long) EVENT_BYTES * ofPods.size());
    }
  }

  @Override
  public void measured(List<Measured> measured) {
    store.measured(measured);
    regret.measured(measured);
  }

  private boolean next() throws InterruptedException {
    Runnable next = queue.poll(100, TimeUnit.MILLISECONDS);
    if (next == null) {
      return false;
    }
    next.run();
    if (queue.crowded()) {
      return true; // better late answers than decisions that nobody is told of
    }
    if (queue.size() > 0) {
      pacer.pace();
    } else {
      TimeUnit.MILLISECONDS.sleep(GATHER_MILLIS);
    }
    return true;
  }

  @Override
  public void forgotten(List<String> podUids) {
    queue.offer(() -> effect.forgotten(podUids), (long) EVENT_BYTES * podUids.size());
    store
        .forget(podUids)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                log.info(
                    "{} pods are forgotten: a full list does not name them, or they had ended before they were told of",
                    podUids.size());
              } else {
                log.warn("{} ended pods could not be forgotten", podUids.size(), failure);
              }
            });
  }

  @Override
  public void close() {
    loop.close(Duration.ofSeconds(5));
  }
}
