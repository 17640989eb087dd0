package dev.berth.service.http;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.config.DataSize;
import dev.berth.service.metrics.ServiceMetrics;
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

/** {@code POST /v1/score} for the plugin, {@code GET /score} for people. */
final class ScoreRoutes {
  private final Scorer scorer;
  private final NodeTable nodes;
  private final ServiceMetrics metrics;
  private final DataSize maxBody;

  ScoreRoutes(Scorer scorer, NodeTable nodes, ServiceMetrics metrics, DataSize maxBody) {
    this.scorer = scorer;
    this.nodes = nodes;
    this.metrics = metrics;
    this.maxBody = maxBody;
  }

  void declare(RoutesConfig routes) {
    routes.post("/v1/score", this::post);
    routes.post("/score", this::post);
    routes.get("/v1/score", this::get);
    routes.get("/score", this::get);
  }

  private void post(Context ctx) throws IOException {
    long start = System.nanoTime();
    String result = "error";
    try {
      Body body = Body.read(ctx, maxBody);
      ScoreReply reply = scorer.score(ScoreRequestReader.read(body.bytes(), body.length()));
      byte[] answer = ScoreReplyWriter.write(reply);
      // Straight to the servlet: a known length saves the chunked encoding of longer answers.
      ctx.contentType("application/json");
      ctx.res().setContentLength(answer.length);
      ctx.res().getOutputStream().write(answer);
      result = reply.reason() == null ? "scored" : "neutral";
    } finally {
      long nanos = System.nanoTime() - start;
      metrics.scoreLatency.record(nanos);
      metrics.scoreSeconds.labelValues(result).observe(nanos * 1e-9);
    }
  }

  private void get(Context ctx) throws IOException {
    Pod pod =
        Pod.of(
            "what-if",
            "default/Pod/what-if",
            Quantity.milliCores(parameter(ctx, "cpu", "100m")),
            Quantity.bytes(parameter(ctx, "memory", "128Mi")));
    for (String name : ctx.queryParamMap().keySet()) {
      if (!name.equals("cpu") && !name.equals("memory")) {
        throw Problem.badRequest("unknown parameter " + name + ": use cpu= and memory=");
      }
    }
    Candidates candidates = nodes.candidates();
    if (candidates.size() == 0) {
      throw new Problem(
          503,
          "No node known",
          "neither a scheduler nor Prometheus has named a node yet: see /readyz, or wait for the"
              + " first pull");
    }
    ScoreReply reply = scorer.whatIf(pod, candidates);
    ctx.contentType("application/json")
        .result(Json.READABLE.writeValueAsBytes(view(candidates, reply)));
  }

  private static String parameter(Context ctx, String name, String fallback) {
    String value = ctx.queryParam(name);
    return value == null ? fallback : value;
  }

  private record NodeScore(String node, int score) {}

  /** Best first, since that is what a person looks for. */
  private static Map<String, Object> view(Candidates candidates, ScoreReply reply) {
    List<NodeScore> nodes = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      nodes.add(new NodeScore(candidates.names()[i], reply.scores()[i]));
    }
    nodes.sort(Comparator.comparingInt(NodeScore::score).reversed());
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("policy", reply.policy());
    view.put("modelVersion", reply.modelVersion());
    view.put("basis", reply.basis());
    if (reply.reason() != null) {
      view.put("reason", reply.reason());
    }
    view.put("nodes", nodes);
    return view;
  }
}
