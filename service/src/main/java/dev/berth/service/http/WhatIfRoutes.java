package dev.berth.service.http;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.text.Quantity;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.StoredDecision;
import dev.berth.service.task.DutyCycle;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /score} and {@code GET /v1/what-if} for people. It needs the scorer's lock as a
 * scheduler's request does, so all of them together get a twentieth of the time.
 */
final class WhatIfRoutes {
  private static final String NO_NODE =
      "no node is known yet: neither has a scheduler asked nor has Prometheus measured one";

  /** Candidates that a person is shown. */
  private static final int SHOWN = 100;

  private final Scorer scorer;
  private final NodeTable nodes;
  private final DutyCycle share = new DutyCycle(System::nanoTime);

  WhatIfRoutes(Scorer scorer, NodeTable nodes) {
    this.scorer = scorer;
    this.nodes = nodes;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/score", this::scores);
    routes.get("/score", this::scores);
    routes.get("/v1/what-if", this::decision);
  }

  private void scores(Context ctx) throws IOException {
    Pod pod = pod(ctx, Set.of("cpu", "memory"), "use cpu= and memory=");
    Map<String, Object> view =
        inTurn(
            () -> {
              Candidates candidates = nodes.candidates();
              return view(
                  candidates, candidates.size() == 0 ? null : scorer.whatIf(pod, candidates));
            });
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(view));
  }

  /** The same with all that it rests on, as a decision that was made is told. */
  private void decision(Context ctx) throws IOException {
    Pod pod =
        pod(ctx, Set.of("cpu", "memory", "pod", "owner"), "use cpu=, memory=, pod= and owner=");
    DecisionRecord record =
        inTurn(
            () -> {
              Candidates candidates = nodes.candidates();
              if (candidates.size() == 0) {
                throw new Problem(409, "No node known", NO_NODE);
              }
              return scorer.ifAsked(pod, withRoom(candidates, pod));
            });
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(StoredDecision.of(record, SHOWN)));
  }

  /** Where its requests fit: what else a scheduler leaves nodes out for is not known here. */
  private static Candidates withRoom(Candidates all, Pod pod) {
    int[] roomy = IntStream.range(0, all.size()).filter(i -> all.hasRoom(i, pod)).toArray();
    if (roomy.length == 0) {
      throw new Problem(
          409,
          "No room",
          "none of the %d nodes has room for cpu %s and memory %s: by requests the most that is left on one is cpu %s, or memory %s"
              .formatted(
                  all.size(),
                  Quantity.ofMilliCores(pod.cpuMilli()),
                  Quantity.ofBytes(pod.memoryBytes()),
                  Quantity.ofMilliCores(left(all.cpuMilli(), all.cpuRequestedMilli())),
                  Quantity.ofBytes(left(all.memoryBytes(), all.memoryRequestedBytes()))));
    }
    return all.only(roomy);
  }

  private static long left(long[] capacity, long[] requested) {
    return IntStream.range(0, capacity.length)
        .mapToLong(i -> capacity[i] - requested[i])
        .max()
        .orElse(0);
  }

  private static Pod pod(Context ctx, Set<String> known, String usage) {
    Parameters.refuseUnknown(ctx, known, usage);
    String name = text(ctx, "pod", "default/what-if");
    int slash = name.indexOf('/');
    if (slash < 1 || slash == name.length() - 1) {
      throw Problem.badRequest("pod is '" + name + "', must be namespace/name");
    }
    return new Pod(
        "what-if",
        name.substring(slash + 1),
        name.substring(0, slash),
        text(ctx, "owner", name.substring(0, slash) + "/Pod" + name.substring(slash)),
        0,
        Limits.cpuMilli(parameter(ctx, "cpu", "100m", Quantity::milliCores), "cpu"),
        Limits.memoryBytes(parameter(ctx, "memory", "128Mi", Quantity::bytes), "memory"),
        GpuRequest.NONE,
        LatencyLimits.NONE);
  }

  private static String text(Context ctx, String name, String fallback) {
    String value = ctx.queryParam(name);
    return value == null ? fallback : Limits.text(value, name);
  }

  private <T> T inTurn(Supplier<T> question) {
    if (!share.begin()) {
      throw new Problem(
          429,
          "Too many what-ifs",
          "what-ifs get a twentieth of the scorer's time: ask again in a second or two",
          Map.of("Retry-After", "2"));
    }
    try {
      return question.get();
    } finally {
      share.end();
    }
  }

  private static long parameter(
      Context ctx, String name, String fallback, ToLongFunction<String> parse) {
    String value = ctx.queryParam(name);
    try {
      return parse.applyAsLong(value == null ? fallback : value);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(name + ": " + e.getMessage());
    }
  }

  private record NodeScore(String node, int score) {}

  /** Best first, since that is what a person looks for. */
  private Map<String, Object> view(Candidates candidates, @Nullable ScoreReply reply) {
    Map<String, Object> view = new LinkedHashMap<>();
    List<NodeScore> scored = new ArrayList<>();
    if (reply == null) {
      view.put("policy", scorer.serving().policy().name());
      view.put("reason", NO_NODE);
    } else {
      view.put("policy", reply.policy());
      view.put("modelVersion", reply.modelVersion());
      view.put("basis", reply.basis());
      if (reply.reason() != null) {
        view.put("reason", reply.reason());
      }
      for (int i = 0; i < candidates.size(); i++) {
        scored.add(new NodeScore(candidates.names()[i], reply.scores()[i]));
      }
      scored.sort(Comparator.comparingInt(NodeScore::score).reversed());
    }
    view.put("nodes", scored);
    return view;
  }
}
