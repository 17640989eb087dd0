package dev.berth.service.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.scoring.Draw;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a recording: exactly one component is set. Times are seconds since the epoch, on the
 * service's clock unless said otherwise.
 *
 * @param start the first line
 * @param question a pod was asked about
 * @param outcomes news of pods came in
 * @param sized nodes were measured to have so many cores
 * @param podSamples measurements of pods came in
 * @param samples measurements of nodes came in
 * @param truth added afterwards, by who knows: what nodes really did
 * @param started added afterwards: a pod's containers run
 * @param lost so many entries are missing here, because they came faster than they were written
 * @param end the recording is whole: lines before this one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Entry(
    @JsonProperty(required = false) @Nullable Start start,
    @JsonProperty(required = false) @Nullable Question question,
    @JsonProperty(required = false) @Nullable Outcomes outcomes,
    @JsonProperty(required = false) @Nullable Sized sized,
    @JsonProperty(required = false) @Nullable PodSamples podSamples,
    @JsonProperty(required = false) @Nullable Samples samples,
    @JsonProperty(required = false) @Nullable Truth truth,
    @JsonProperty(required = false) @Nullable Started started,
    @JsonProperty(required = false) @Nullable Long lost,
    @JsonProperty(required = false) @Nullable Long end) {

  /** Changes with the shape or the meaning of any entry. */
  public static final int SCHEMA = 4;

  /** The oldest that reads as today's does: it has no {@link #podSamples}. */
  static final int OLDEST_SCHEMA = 3;

  /**
   * What was known when the recording began.
   *
   * @param schema {@link #SCHEMA} of whoever wrote it
   * @param berth version of the service
   * @param policy name of the policy that served
   * @param learned what was learned of owners, as its file holds it; empty when nothing was
   * @param running pods that ran
   */
  public record Start(
      int schema,
      String berth,
      double at,
      String policy,
      UsageConfig usage,
      byte[] learned,
      List<RunningPod> running) {}

  /**
   * A decision.
   *
   * @param base preferences of the sound candidates by the base score alone, empty where too little
   *     was known
   * @param preferences of these with the learned correction
   * @param draw of these, by which one may have come first to learn from it
   */
  public record Question(
      double at,
      ScoreRequest request,
      double[] base,
      double[] preferences,
      Draw draw,
      long modelVersion) {

    /** Whether no pod was placed by it. */
    boolean whatIf() {
      return request.decision().equals(Scorer.WHAT_IF);
    }
  }

  /** Events in their order. */
  public record Outcomes(double at, List<OutcomeEvent> events) {}

  /**
   * Sizes of nodes that no decision has named.
   *
   * @param cores by node
   */
  public record Sized(double at, Map<String, Double> cores) {}

  /** Samples of pods in their order. */
  public record PodSamples(double at, List<PodSample> samples) {}

  /** Samples of nodes in their order. */
  public record Samples(double at, List<NodeSample> samples) {}

  /**
   * CPU that the pods of each node want at one instant.
   *
   * @param cores by node
   */
  public record Truth(double at, Map<String, Double> cores) {}

  /**
   * A pod's containers run.
   *
   * @param pod uid
   */
  public record Started(double at, String pod) {}

  static Entry of(Start start) {
    return new Entry(start, null, null, null, null, null, null, null, null, null);
  }

  static Entry of(Question question) {
    return new Entry(null, question, null, null, null, null, null, null, null, null);
  }

  static Entry of(Outcomes outcomes) {
    return new Entry(null, null, outcomes, null, null, null, null, null, null, null);
  }

  static Entry of(Sized sized) {
    return new Entry(null, null, null, sized, null, null, null, null, null, null);
  }

  static Entry of(PodSamples podSamples) {
    return new Entry(null, null, null, null, podSamples, null, null, null, null, null);
  }

  static Entry of(Samples samples) {
    return new Entry(null, null, null, null, null, samples, null, null, null, null);
  }

  public static Entry of(Truth truth) {
    return new Entry(null, null, null, null, null, null, truth, null, null, null);
  }

  public static Entry of(Started started) {
    return new Entry(null, null, null, null, null, null, null, started, null, null);
  }

  static Entry ofLost(long entries) {
    return new Entry(null, null, null, null, null, null, null, null, entries, null);
  }

  static Entry ofEnd(long lines) {
    return new Entry(null, null, null, null, null, null, null, null, null, lines);
  }
}
