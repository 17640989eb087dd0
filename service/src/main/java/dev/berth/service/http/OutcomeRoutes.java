package dev.berth.service.http;

import dev.berth.service.config.DataSize;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code POST /v1/outcomes}: what became of the pods. */
final class OutcomeRoutes {
  private static final int COMMIT_SECONDS = 5;

  private final Scorer scorer;
  private final ExperienceStore store;
  private final DataSize maxBody;

  OutcomeRoutes(Scorer scorer, ExperienceStore store, DataSize maxBody) {
    this.scorer = scorer;
    this.store = store;
    this.maxBody = maxBody;
  }

  void declare(RoutesConfig routes) {
    routes.post("/v1/outcomes", this::post);
  }

  private void post(Context ctx) throws IOException {
    Body body = Body.read(ctx, maxBody);
    List<OutcomeEvent> events = OutcomesReader.read(body.bytes(), body.length());
    // The next score may rest on the batch at once; the sender hears of it only when it is durable.
    scorer.apply(events);
    await(store.happened(events));
    ctx.contentType("application/json")
        .result(
            Json.COMPACT.writeValueAsBytes(
                Map.of("accepted", events.size(), "instance", scorer.instance())));
  }

  private static void await(CompletableFuture<Void> written) {
    try {
      written.get(COMMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      String why = e.getCause() == null ? "it takes too long" : e.getCause().getMessage();
      throw new Problem(
          503, "Not stored", "the batch is not durable yet: " + why + "; send it again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(503, "Not stored", "the service is stopping: send the batch again");
    }
  }
}
