package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.NodeRanking;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** {@code POST /v1/score} and {@code POST /v1/rank}: the scheduler's questions. */
final class ScoreRoutes {
  private static final String SCORES = "application/vnd.berth.scores";
  private static final String RANKING = "application/vnd.berth.ranking";

  private final Scorer scorer;
  private final ServiceMetrics metrics;
  private final ServerConfig limits;
  private final NamesOfLastQuestion names = new NamesOfLastQuestion();
  private final SenderClocks clocks;
  private final NamesOfLastQuestion allNames = new NamesOfLastQuestion();

  ScoreRoutes(Scorer scorer, ServiceMetrics metrics, ServerConfig limits, SenderClocks clocks) {
    this.clocks = clocks;
    this.scorer = scorer;
    this.metrics = metrics;
    this.limits = limits;
  }

  void declare(RoutesConfig routes) {
    routes.post("/v1/score", this::post);
    routes.post("/score", this::post);
    routes.post("/v1/rank", this::rank);
  }

  private ScorableRequest read(Body body, NamesOfLastQuestion known) {
    return body.columns()
        ? ScoreRequestReader.readBinary(
            body.bytes(), body.length(), limits.maxCandidates(), scorer.now(), clocks, known)
        : ScoreRequestReader.read(
            body.bytes(),
            body.length(),
            limits.maxCandidates(),
            scorer.now(),
            clocks,
            metrics.overdrawnCards::inc);
  }

  private void post(Context ctx) {
    long start = System.nanoTime();
    String result = "error";
    try {
      ScorableRequest scorable;
      boolean binary;
      try (Body body = Body.of(ctx, limits.maxBody(), true)) {
        binary = body.columns();
        scorable = read(body, names);
      }
      ScoreRequest r = scorable.request();
      scorer
          .schedulers()
          .asked(r.scheduler(), scorable.contract(), r.mode(), r.clip(), scorer.now());
      ScoreReply reply = scorable.widen(scorer.score(r));
      if (binary) {
        Reply.send(ctx, SCORES, ScoreReplyWriter.binary(reply));
      } else {
        Reply.json(ctx, ScoreReplyWriter.write(reply));
      }
      result = reply.reason() == null ? "scored" : "neutral";
    } finally {
      long nanos = System.nanoTime() - start;
      metrics.scoreLatency.record(nanos);
      metrics.scoreSeconds.labelValues(result).observe(nanos * 1e-9);
    }
  }

  private void rank(Context ctx) {
    long start = System.nanoTime();
    String result = "error";
    try {
      ScorableRequest scorable;
      try (Body body = Body.of(ctx, limits.maxBody(), true)) {
        scorable = read(body, allNames);
      }
      NodeRanking ranking = scorable.widen(scorer.rank(scorable.request()));
      Reply.send(ctx, RANKING, RankingWriter.write(ranking));
      result = "ranked";
    } finally {
      metrics.rankSeconds.labelValues(result).observe((System.nanoTime() - start) * 1e-9);
    }
  }
}
