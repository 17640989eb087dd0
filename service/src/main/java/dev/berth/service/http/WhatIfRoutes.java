package dev.berth.service.http;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.text.Quantity;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.Scorer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /score} for people. It needs the scorer's lock as a scheduler's request does, so all
 * of them together get a twentieth of the time.
 */
final class WhatIfRoutes {
  private static final String NO_NODE =
      "no node is known yet: neither has a scheduler asked nor has Prometheus measured one";

  private final Scorer scorer;
  private final NodeTable nodes;
  private final DutyCycle share = new DutyCycle(System::nanoTime);

  WhatIfRoutes(Scorer scorer, NodeTable nodes) {
    this.scorer = scorer;
    this.nodes = nodes;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/score", this::get);
    routes.get("/score", this::get);
  }

  private void get(Context ctx) throws IOException {
    Pod pod =
        Pod.of(
            "what-if",
            "default/Pod/what-if",
            Limits.cpuMilli(parameter(ctx, "cpu", "100m", Quantity::milliCores), "cpu"),
            Limits.memoryBytes(parameter(ctx, "memory", "128Mi", Quantity::bytes), "memory"));
    for (String name : ctx.queryParamMap().keySet()) {
      if (!name.equals("cpu") && !name.equals("memory")) {
        throw Problem.badRequest("unknown parameter " + name + ": use cpu= and memory=");
      }
    }
    if (!share.begin()) {
      throw new Problem(
          429,
          "Too many what-ifs",
          "what-ifs get a twentieth of the scorer's time: ask again in a second or two",
          Map.of("Retry-After", "2"));
    }
    Map<String, Object> view;
    try {
      Candidates candidates = nodes.candidates();
      view =
          candidates.size() == 0
              ? view(candidates, null)
              : view(candidates, scorer.whatIf(pod, candidates));
    } finally {
      share.end();
    }
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(view));
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
