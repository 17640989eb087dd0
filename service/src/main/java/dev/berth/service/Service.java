package dev.berth.service;

import dev.berth.policy.bookkeeping.Bookkeeping;
import dev.berth.policy.bookkeeping.BookkeepingConfig;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.http.BearerToken;
import dev.berth.service.http.HttpServer;
import dev.berth.service.http.Readiness;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.Scorer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/** One running service. */
public final class Service implements AutoCloseable {
  private final HttpServer http;
  private final CountDownLatch closed = new CountDownLatch(1);

  private Service(HttpServer http) {
    this.http = http;
  }

  public static Service start(ServiceConfig config) {
    Path state = Path.of(config.stateFolder());
    ServiceMetrics metrics = new ServiceMetrics();
    Path tokenFile =
        config.server().tokenFile().isEmpty()
            ? state.resolve("token")
            : Path.of(config.server().tokenFile());
    BearerToken token = BearerToken.loadOrCreate(tokenFile);
    String instance = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    Scorer scorer =
        new Scorer(
            PredictThenGreedy.best(),
            new Bookkeeping(BookkeepingConfig.DEFAULT),
            new NodeTable(),
            metrics,
            Clock.systemUTC(),
            instance);
    HttpServer http = new HttpServer(config.server(), token, scorer, new Readiness(), metrics);
    return new Service(http.start());
  }

  public int port() {
    return http.port();
  }

  public void awaitClose() throws InterruptedException {
    closed.await();
  }

  @Override
  public void close() {
    http.close();
    closed.countDown();
  }
}
