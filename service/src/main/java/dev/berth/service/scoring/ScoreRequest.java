package dev.berth.service.scoring;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.util.List;

/**
 * The plugin's request.
 *
 * @param decision id the reply must repeat
 * @param scheduler who asks, {@code name/instance}
 * @param events what this scheduler reserved or took back and has no answer to yet: taken in before
 *     the pod is scored, so that pods of one burst know of each other
 */
public record ScoreRequest(
    String decision,
    String scheduler,
    Mode mode,
    Pod pod,
    Candidates candidates,
    List<OutcomeEvent> events) {

  /** Without news. */
  public ScoreRequest(
      String decision, String scheduler, Mode mode, Pod pod, Candidates candidates) {
    this(decision, scheduler, mode, pod, candidates, List.of());
  }

  /** The same of other candidates. */
  public ScoreRequest of(Candidates others) {
    return new ScoreRequest(decision, scheduler, mode, pod, others, events);
  }

  /** The same without news. */
  public ScoreRequest withoutEvents() {
    return new ScoreRequest(decision, scheduler, mode, pod, candidates);
  }
}
