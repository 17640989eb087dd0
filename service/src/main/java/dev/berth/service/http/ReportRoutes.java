package dev.berth.service.http;

import dev.berth.policy.text.Units;
import dev.berth.service.regret.Reports;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** {@code GET /v1/report}: the real choice against Berth's, over some days. */
final class ReportRoutes {
  private static final String USUAL = "7d";
  private static final Duration MIN_TIME = Duration.ofMinutes(1);
  private static final Duration MAX_TIME = Duration.ofDays(366);

  private final Reports reports;

  /** It reads all that was decided in that time: one at a time. */
  private final ReentrantLock busy = new ReentrantLock();

  ReportRoutes(Reports reports) {
    this.reports = reports;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/report", this::report);
  }

  private void report(Context ctx) throws IOException {
    Parameters.refuseUnknown(ctx, Set.of("since"), "use since=");
    String since = ctx.queryParam("since");
    Duration time = time(since == null ? USUAL : since);
    if (!busy.tryLock()) {
      throw new Problem(
          429,
          "A report is being made",
          "one report at a time: ask again in a few seconds",
          Map.of("Retry-After", "5"));
    }
    try {
      Reply.json(ctx, Json.READABLE.writeValueAsBytes(reports.of(time)));
    } finally {
      busy.unlock();
    }
  }

  private static Duration time(String text) {
    try {
      Duration time = Units.duration(text);
      if (time.compareTo(MIN_TIME) >= 0 && time.compareTo(MAX_TIME) <= 0) {
        return time;
      }
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("since: " + e.getMessage());
    }
    throw Problem.badRequest("since is '" + text + "', must be 1m to 366d");
  }
}
