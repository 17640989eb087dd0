package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Scorer;
import java.util.UUID;

/** The score routes alone, on a free loopback port, with a token that nobody else knows. */
public final class WarmUpServer implements AutoCloseable {
  private final String token = UUID.randomUUID().toString();
  private final Listener scores;

  /** Listens at once. */
  public WarmUpServer(ServerConfig config, Scorer scorer, ServiceMetrics metrics) {
    ServerConfig local = config.onFreeLoopbackPort();
    scores =
        new Listener(
            local,
            0,
            "server.scheduler-port",
            Secrets.of(token)::scheduler,
            null,
            metrics,
            (routes, executor) ->
                new ScoreRoutes(scorer, metrics, local, new SenderClocks()).declare(routes));
    scores.start();
  }

  public int port() {
    return scores.port();
  }

  public String token() {
    return token;
  }

  @Override
  public void close() {
    scores.close();
  }
}
