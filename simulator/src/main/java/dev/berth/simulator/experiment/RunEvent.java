package dev.berth.simulator.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of a recorded run; {@code type} names the kind, {@code at} is in seconds. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @Type(value = RunEvent.Begin.class, name = "run"),
  @Type(value = RunEvent.NodeJoined.class, name = "node"),
  @Type(value = RunEvent.NodeGone.class, name = "node-gone"),
  @Type(value = RunEvent.Bind.class, name = "bind"),
  @Type(value = RunEvent.Gone.class, name = "gone"),
  @Type(value = RunEvent.Sample.class, name = "sample")
})
public sealed interface RunEvent {
  double at();

  /** The first line. */
  record Begin(double at, String scenario, double daySeconds, double scrapeSeconds)
      implements RunEvent {}

  /**
   * @param pods most pods that the node takes
   * @param taints {@code key=value}
   */
  record NodeJoined(
      double at,
      String node,
      String zone,
      long cpuMilli,
      long memoryBytes,
      int pods,
      Map<String, String> labels,
      List<String> taints)
      implements RunEvent {}

  record NodeGone(double at, String node) implements RunEvent {}

  /**
   * @param scores feasible nodes that the policy saw and the score of each; null for a bind that it
   *     did not choose
   */
  record Bind(
      double at,
      String uid,
      String owner,
      String node,
      long cpuMilli,
      long memoryBytes,
      Map<String, String> nodeSelector,
      List<String> tolerations,
      @JsonProperty(required = false) @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable Map<String, Double> scores)
      implements RunEvent {}

  /** A pod that left. */
  record Gone(double at, String uid, String node) implements RunEvent {}

  /** What it does not know is null. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Sample(
      double at,
      String node,
      double windowStart,
      double windowEnd,
      @JsonProperty(required = false) @Nullable Double cpuCores,
      @JsonProperty(required = false) @Nullable Double memoryBytes,
      @JsonProperty(required = false) @Nullable Double connections,
      @JsonProperty(required = false) @Nullable Double latencyMillis)
      implements RunEvent {}
}
