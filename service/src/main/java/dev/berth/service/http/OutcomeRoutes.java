package dev.berth.service.http;

import dev.berth.service.config.DataSize;
import dev.berth.service.scoring.Scorer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Map;

/** {@code POST /v1/outcomes}: what became of the pods. */
final class OutcomeRoutes {
  private final Scorer scorer;
  private final DataSize maxBody;

  OutcomeRoutes(Scorer scorer, DataSize maxBody) {
    this.scorer = scorer;
    this.maxBody = maxBody;
  }

  void declare(RoutesConfig routes) {
    routes.post("/v1/outcomes", this::post);
  }

  private void post(Context ctx) throws IOException {
    Body body = Body.read(ctx, maxBody);
    int accepted = scorer.apply(OutcomesReader.read(body.bytes(), body.length()));
    ctx.contentType("application/json")
        .result(
            Json.COMPACT.writeValueAsBytes(
                Map.of("accepted", accepted, "instance", scorer.instance())));
  }
}
