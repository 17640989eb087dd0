package dev.berth.workbench.bench;

import dev.berth.service.Service;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Latency of {@code POST /v1/score} over a kept-alive loopback connection, by number of candidates.
 * The service runs as in production: bookkeeping with ten pods a node and fresh samples, experience
 * store on disk, metrics.
 */
public final class ScoreBench {
  private static final int MAX_NANOS = 2_000_000_000;

  /** One line of the table; times in microseconds. */
  public record Row(
      int candidates, int bodyBytes, long p50, long p99, long max, double perSecond) {}

  private final ServiceConfig config;
  private final int requests;

  /**
   * @param config {@code state-folder} must be empty, {@code server.port} 0
   */
  public ScoreBench(ServiceConfig config, int requests) {
    this.config = config;
    this.requests = requests;
  }

  /**
   * @param step told after every request
   */
  public Row run(int candidates, Consumer<Integer> step) throws IOException {
    try (Service service = Service.start(config)) {
      String token = Files.readString(Path.of(config.stateFolder(), "token")).strip();
      SyntheticCluster cluster = new SyntheticCluster(candidates);
      cluster.fill(service.scorer());
      try (KeptAliveClient client =
          new KeptAliveClient(service.schedulerPort(), "/v1/score", token)) {
        byte[][] asked = new byte[16][];
        for (int i = 0; i < asked.length; i++) {
          asked[i] = client.request(cluster.scoreRequest(i));
        }
        for (int i = 0; i < requests; i++) {
          client.send(asked[i % asked.length]);
          step.accept(1);
        }
        Histogram nanos = new Histogram(MAX_NANOS, 3);
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
          long sent = System.nanoTime();
          client.send(asked[i % asked.length]);
          nanos.recordValue(Math.min(MAX_NANOS, System.nanoTime() - sent));
          step.accept(1);
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Row(
            candidates,
            cluster.scoreRequest(0).length,
            nanos.getValueAtPercentile(50) / 1000,
            nanos.getValueAtPercentile(99) / 1000,
            nanos.getMaxValue() / 1000,
            requests / seconds);
      }
    }
  }
}
