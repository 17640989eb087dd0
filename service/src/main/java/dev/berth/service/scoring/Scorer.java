package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.bookkeeping.Bookkeeping;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.metrics.ServiceMetrics;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers score requests and takes in outcomes.
 *
 * <p>Thread-safe: one lock serialises the bookkeeping and the policy, as both demand.
 * kube-scheduler asks one question at a time, so the lock is almost always free.
 */
public final class Scorer {
  private final ReentrantLock lock = new ReentrantLock();
  private final Policy policy;
  private final Bookkeeping books;
  private final NodeTable nodes;
  private final ServiceMetrics metrics;
  private final Clock clock;
  private final String instance;

  public Scorer(
      Policy policy,
      Bookkeeping books,
      NodeTable nodes,
      ServiceMetrics metrics,
      Clock clock,
      String instance) {
    this.policy = policy;
    this.books = books;
    this.nodes = nodes;
    this.metrics = metrics;
    this.clock = clock;
    this.instance = instance;
  }

  public String instance() {
    return instance;
  }

  public NodeTable nodes() {
    return nodes;
  }

  public ScoreReply score(ScoreRequest request) {
    ScoreReply reply =
        answer(request.decision(), request.mode(), request.pod(), request.candidates());
    nodes.update(request.candidates());
    return reply;
  }

  /** The scores a pod would get on {@code candidates}; nothing is recorded or learned. */
  public ScoreReply whatIf(Pod pod, Candidates candidates) {
    return answer("what-if", Mode.SHADOW, pod, candidates);
  }

  private ScoreReply answer(String decision, Mode mode, Pod pod, Candidates candidates) {
    int n = candidates.size();
    int[] scores = new int[n];
    double[] preferences = new double[n];
    lock.lock();
    try {
      policy.score(new Decision(now(), pod, candidates, books), preferences);
    } finally {
      lock.unlock();
    }
    int unknown = PreferenceScale.scale(preferences, scores);
    metrics.candidates.inc(n);
    if (unknown > 0) {
      metrics.unknownPreferences.inc(unknown);
    }
    return new ScoreReply(
        decision,
        scores,
        policy.name(),
        mode,
        0,
        "m0-s0",
        instance,
        propensity(scores),
        false,
        null,
        null);
  }

  public int apply(List<OutcomeEvent> events) {
    lock.lock();
    try {
      for (OutcomeEvent event : events) {
        metrics.events.labelValues(event.type().wireName()).inc();
        @Nullable Pod pod = event.pod();
        if (event.type().places()) {
          books.podBound(
              Objects.requireNonNull(pod), Objects.requireNonNull(event.node()), event.at());
        } else {
          books.podGone(event.uid(), event.at());
        }
      }
    } finally {
      lock.unlock();
    }
    return events.size();
  }

  /** kube-scheduler picks at random among the candidates with the best score. */
  private static double propensity(int[] scores) {
    int best = -1;
    int ties = 0;
    for (int score : scores) {
      if (score > best) {
        best = score;
        ties = 1;
      } else if (score == best) {
        ties++;
      }
    }
    return ties == 0 ? 1 : 1.0 / ties;
  }

  private double now() {
    Instant now = clock.instant();
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }
}
