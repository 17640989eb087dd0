package dev.berth.service.page;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.service.Given;
import dev.berth.service.Service;
import dev.berth.service.probe.SyntheticCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** A service that knows 5,000 nodes; every fiftieth has lost its samples. */
public final class LargeCluster implements AutoCloseable {
  static final int NODES = 5_000;
  private final Service service;
  private final Random random = new Random(1);

  public LargeCluster(Path folder) throws Exception {
    service = Given.service(folder, Map.of("BERTH_SERVER_OPEN_READS", "true"));
    measure();
    String token = Files.readString(folder.resolve("token")).strip();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.schedulerPort() + "/v1/score"))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofByteArray(new SyntheticCluster(NODES).scoreRequest(1)))
            .build();
    var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (reply.statusCode() != 200) {
      throw new IllegalStateException(reply.body());
    }
  }

  /** New samples of all nodes. */
  void measure() {
    double now = service.scorer().now();
    List<NodeSample> samples =
        IntStream.range(0, NODES)
            .filter(i -> i % 50 != 7)
            .mapToObj(
                i ->
                    new NodeSample(
                        "worker-%04d.cluster.local".formatted(i),
                        now - 5,
                        now,
                        Math.min(63, 8 + 18 * (i % 3) + 9 * Math.abs(random.nextGaussian())),
                        (60 + 150 * random.nextDouble()) * (1 << 30),
                        100,
                        Double.NaN))
            .toList();
    service.scorer().intake().observe(samples, 1);
  }

  public String url() {
    return "http://127.0.0.1:" + service.readPort() + "/";
  }

  @Override
  public void close() {
    service.close();
  }
}
