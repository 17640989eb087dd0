package dev.berth.service.store;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.Without;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it is read back: the answer to "why this node?".
 *
 * @param at RFC 3339
 * @param candidates how many candidates there were
 * @param nodes JSON columns of the best candidates, best first
 * @param forecast JSON of what all candidates have in common, null where no forecast was made
 * @param terms what the base scores are made of, worked out from both; null likewise
 * @param moved which features moved the learned correction; null where nobody asks for this
 *     decision alone, where no learned policy made it, or where it is not among the newest
 * @param node where the pod went, null until its outcome arrived
 * @param without where the other score plugins alone would have put it, as the scheduler told of
 *     some; null of the others
 * @param reckoned where the stock profile would have put it, as this service reckons of pods that
 *     Berth's scores placed; null of the others, and until it did
 * @param measured what that node used later, null until it was
 * @param reward what it turned out to be worth, null until measured
 */
public record StoredDecision(
    String decision,
    String at,
    String scheduler,
    String mode,
    String podUid,
    String pod,
    String owner,
    String policy,
    long modelVersion,
    String basis,
    double propensity,
    boolean explored,
    @Nullable String reason,
    @Nullable String node,
    @Nullable Without without,
    @Nullable Without reckoned,
    @Nullable Double reward,
    @Nullable StoredMeasurement measured,
    int candidates,
    @JsonRawValue String nodes,
    @JsonRawValue @Nullable String forecast,
    @Nullable StoredTerms terms,
    @Nullable StoredMoved moved) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A decision as it would be read back, were it stored now. */
  public static StoredDecision of(DecisionRecord d, int kept) {
    ScoreReply reply = d.reply();
    Pod pod = d.request().pod();
    String nodes = CandidateColumns.json(d, kept);
    String forecast = DecisionRow.basis(d);
    return new StoredDecision(
        reply.decision(),
        Instant.ofEpochMilli(Math.round(d.at() * 1000)).toString(),
        d.request().scheduler(),
        reply.mode().wireName(),
        pod.uid(),
        pod.namespace() + "/" + pod.name(),
        pod.owner(),
        reply.policy(),
        reply.modelVersion(),
        reply.basis(),
        reply.propensity(),
        reply.explored(),
        reply.reason(),
        null,
        null,
        null,
        null,
        null,
        reply.scores().length,
        nodes,
        forecast,
        StoredTerms.of(forecast, nodes),
        StoredMoved.of(d, kept));
  }

  /** The same with what moved it, worked out now. */
  public StoredDecision explained(DecisionRecord d) {
    try {
      int rows = JSON.readTree(nodes).path("node").size();
      return new StoredDecision(
          decision,
          at,
          scheduler,
          mode,
          podUid,
          pod,
          owner,
          policy,
          modelVersion,
          basis,
          propensity,
          explored,
          reason,
          node,
          without,
          reckoned,
          reward,
          measured,
          candidates,
          nodes,
          forecast,
          terms,
          StoredMoved.of(d, rows));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored decision is damaged: " + e.getOriginalMessage(), e);
    }
  }
}
