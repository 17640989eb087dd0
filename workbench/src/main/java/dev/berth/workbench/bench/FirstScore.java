package dev.berth.workbench.bench;

import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long the first requests to a fresh process take: {@code berth serve} in a new JVM as its
 * image starts it, asked as soon as it listens, in the plugin's form.
 */
public final class FirstScore {
  private static final int QUESTIONS = 20;
  private static final long PAUSE_MILLIS = 50;

  private FirstScore() {}

  /**
   * One start.
   *
   * @param startMillis from the start of the process until it listens
   * @param scoreMillis of each request, {@code [requests]}, the first one cold
   */
  public record Start(double startMillis, double[] scoreMillis) {}

  /**
   * @param state folder of the service, absent or empty
   * @throws IOException when the process does not come to listen; the message has its log
   */
  public static Start measure(ImageFolder image, int candidates, String policy, Path state)
      throws IOException, InterruptedException {
    Files.createDirectories(state);
    SyntheticCluster cluster = new SyntheticCluster(candidates);
    long begun = System.nanoTime();
    try (ServiceProcess service =
        ServiceProcess.start(
            image.command("serve"),
            Map.of("PATH", image.path(), "BERTH_SCORING_POLICY", policy),
            state,
            state.resolve("service.log"))) {
      double started = (System.nanoTime() - begun) * 1e-6;
      double[] millis = new double[QUESTIONS];
      try (KeptAliveClient client =
          new KeptAliveClient(service.schedulerPort(), "/v1/score", service.token())) {
        for (int i = 0; i < QUESTIONS; i++) {
          byte[] request = client.request(SyntheticCluster.COLUMNS, cluster.columnsRequest(i));
          long sent = System.nanoTime();
          client.send(request);
          millis[i] = (System.nanoTime() - sent) * 1e-6;
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
      return new Start(started, millis);
    }
  }
}
