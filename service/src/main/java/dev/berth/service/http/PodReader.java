package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the {@code pod} object of both kinds of requests. */
final class PodReader {
  static final String SOFT_LIMIT = "latencySoftConstraint";
  static final String HARD_LIMIT = "latencyHardConstraint";

  private PodReader() {}

  /** The parser stands before the object; it is left on its end. */
  static Pod read(JsonParser in) throws IOException {
    String uid = "";
    String name = "";
    String namespace = "";
    String owner = "";
    int priority = 0;
    long cpu = 0;
    long memory = 0;
    GpuRequest gpu = GpuRequest.NONE;
    LatencyLimits latency = LatencyLimits.NONE;
    Json.begin(in, "pod");
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "uid" -> uid = Json.text(in, "pod.uid");
        case "name" -> name = Json.text(in, "pod.name");
        case "namespace" -> namespace = Json.text(in, "pod.namespace");
        case "owner" -> owner = Json.text(in, "pod.owner");
        case "priority" -> {
          long value = Json.number(in, "pod.priority", Integer.MIN_VALUE);
          priority = (int) Limits.most(value, Integer.MAX_VALUE, "pod.priority");
        }
        case "cpuMilli" ->
            cpu = Limits.cpuMilli(Json.number(in, "pod.cpuMilli", 0), "pod.cpuMilli");
        case "memoryBytes" ->
            memory = Limits.memoryBytes(Json.number(in, "pod.memoryBytes", 0), "pod.memoryBytes");
        case "gpu" -> gpu = gpu(in);
        case "annotations" -> latency = latency(in);
        default ->
            throw Json.unknown(
                "pod." + field,
                "uid, name, namespace, owner, priority, cpuMilli, memoryBytes, gpu, annotations");
      }
    }
    Json.required(uid, "pod.uid");
    // A bare pod is its own owner.
    return new Pod(
        uid,
        name.isEmpty() ? uid : name,
        namespace,
        owner.isEmpty() ? namespace + "/Pod/" + (name.isEmpty() ? uid : name) : owner,
        priority,
        cpu,
        memory,
        gpu,
        latency);
  }

  private static GpuRequest gpu(JsonParser in) throws IOException {
    int count = 0;
    int milli = 0;
    List<String> models = new ArrayList<>();
    Json.begin(in, "pod.gpu");
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "count" -> {
          long value = Json.number(in, "pod.gpu.count", 0);
          count = (int) Limits.most(value, Limits.GPU_CARDS, "pod.gpu.count");
        }
        case "milli" -> milli = (int) Math.min(1 << 20, Json.number(in, "pod.gpu.milli", 0));
        case "models" -> models.addAll(List.of(Columns.strings(in, "pod.gpu.models", 0)));
        default -> throw Json.unknown("pod.gpu." + field, "count, milli, models");
      }
    }
    try {
      return new GpuRequest(count, milli, models);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("pod.gpu: " + e.getMessage());
    }
  }

  private static LatencyLimits latency(JsonParser in) throws IOException {
    String soft = null;
    String hard = null;
    Json.begin(in, "pod.annotations");
    int count = 0;
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      if (++count > Limits.ANNOTATIONS) {
        throw Problem.badRequest(
            "pod.annotations has more than %d: only %s and %s are read"
                .formatted(Limits.ANNOTATIONS, SOFT_LIMIT, HARD_LIMIT));
      }
      String text = Json.text(in, "pod.annotations." + field);
      soft = field.equals(SOFT_LIMIT) ? text : soft;
      hard = field.equals(HARD_LIMIT) ? text : hard;
    }
    return new LatencyLimits(millis(SOFT_LIMIT, soft), millis(HARD_LIMIT, hard));
  }

  /** NaN where absent: an absent limit must not read as an impossible one. */
  private static double millis(String key, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text);
      if (value > 0 && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw badLimit(key, text);
    }
    throw badLimit(key, text);
  }

  private static Problem badLimit(String key, String text) {
    return Problem.badRequest(
        "annotation " + key + " is '" + text + "', must be milliseconds above 0 such as 35");
  }
}
