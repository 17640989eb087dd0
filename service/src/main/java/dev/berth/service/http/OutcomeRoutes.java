package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/outcomes}: what became of the pods. No thread waits for the disk. */
final class OutcomeRoutes {
  private static final int COMMIT_SECONDS = 5;

  private final Scorer scorer;
  private final ExperienceStore store;
  private final ServerConfig limits;
  private final SenderClocks clocks;
  private final Executor executor;
  private final Counter clamped;

  OutcomeRoutes(
      Scorer scorer,
      ExperienceStore store,
      ServiceMetrics metrics,
      ServerConfig limits,
      SenderClocks clocks,
      Executor executor) {
    this.clocks = clocks;
    this.scorer = scorer;
    this.store = store;
    this.limits = limits;
    this.executor = executor;
    clamped =
        metrics.counter(
            "berth_outcome_times_clamped",
            "Events whose time cannot be: later than now, or before there was Kubernetes.");
  }

  void declare(RoutesConfig routes) {
    routes.post("/v1/outcomes", this::post);
  }

  private void post(Context ctx) {
    List<OutcomeEvent> events;
    try (Body body = Body.of(ctx, limits.maxBody())) {
      OutcomesReader reader = new OutcomesReader(limits.maxEvents(), scorer.now(), clocks);
      events = reader.read(body.bytes(), body.length());
      clamped.inc(reader.clamped());
      scorer.schedulers().heard(reader.scheduler(), reader.ahead());
    }
    // The store takes it before it hears, by the scorer, which of these pods are to be forgotten.
    // The
    // next score may rest on the batch at once; the sender hears of it only when it is durable.
    CompletableFuture<Void> stored = store.happened(events);
    scorer.intake().apply(events);
    ctx.future(
        () ->
            stored
                .orTimeout(COMMIT_SECONDS, TimeUnit.SECONDS)
                .handleAsync((done, failure) -> answer(ctx, events.size(), failure), executor));
  }

  private @Nullable Void answer(Context ctx, int accepted, @Nullable Throwable failure) {
    if (failure != null) {
      String why =
          failure instanceof TimeoutException
              ? "it takes longer than " + COMMIT_SECONDS + " s"
              : failure.getMessage();
      throw new Problem(
          503, "Not stored", "the batch is not durable yet: " + why + "; send it again");
    }
    try {
      Reply.json(
          ctx,
          Json.COMPACT.writeValueAsBytes(
              Map.of("accepted", accepted, "instance", scorer.instance())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return null;
  }
}
