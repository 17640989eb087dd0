package dev.berth.service.scoring;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plugin's request.
 *
 * @param decision id the reply must repeat
 * @param scheduler who asks, {@code name/instance}
 * @param clip most that the learned correction may be, in node usage; null leaves it to {@code
 *     scoring.clip}, which it never raises
 * @param events what this scheduler reserved or took back and has no answer to yet: taken in before
 *     the pod is scored, so that pods of one burst know of each other
 */
public record ScoreRequest(
    String decision,
    String scheduler,
    Mode mode,
    @JsonProperty(required = false) @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Double clip,
    Pod pod,
    Candidates candidates,
    List<OutcomeEvent> events) {

  /** Without news, with the clip of the service. */
  public ScoreRequest(
      String decision, String scheduler, Mode mode, Pod pod, Candidates candidates) {
    this(decision, scheduler, mode, null, pod, candidates, List.of());
  }

  /** The same of other candidates. */
  public ScoreRequest of(Candidates others) {
    return new ScoreRequest(decision, scheduler, mode, clip, pod, others, events);
  }

  double clipOrMore() {
    return clip == null ? Double.POSITIVE_INFINITY : clip;
  }

  /** The same as a question by which nothing is placed, and without news. */
  ScoreRequest whatIf() {
    return new ScoreRequest(Scorer.WHAT_IF, scheduler, mode, clip, pod, candidates, List.of());
  }
}
