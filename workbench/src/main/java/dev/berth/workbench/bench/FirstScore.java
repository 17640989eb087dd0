package dev.berth.workbench.bench;

import dev.berth.service.cli.Berth;
import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the first questions to a fresh process take: {@code berth serve} in a new JVM, asked as
 * soon as it listens.
 */
public final class FirstScore {
  private static final Pattern LISTENING = Pattern.compile("listening on http://\\S+:(\\d+)");
  private static final int QUESTIONS = 20;
  private static final long PAUSE_MILLIS = 50;

  private FirstScore() {}

  /**
   * One start.
   *
   * @param startMillis from the start of the process until it listens
   * @param scoreMillis of each question, {@code [questions]}, the first one cold
   */
  public record Start(double startMillis, double[] scoreMillis) {}

  /**
   * @param state empty folder
   * @throws IOException when the process does not come to listen; the message has its log
   */
  public static Start measure(int candidates, String policy, Path state)
      throws IOException, InterruptedException {
    SyntheticCluster cluster = new SyntheticCluster(candidates);
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Berth.class.getName(),
                "serve"));
    builder.redirectErrorStream(true);
    builder.environment().put("BERTH_SERVER_PORT", "0");
    builder.environment().put("BERTH_SERVER_SCHEDULER_PORT", "0");
    builder.environment().put("BERTH_SCORING_POLICY", policy);
    builder.environment().put("BERTH_STATE_FOLDER", state.toString());
    long begun = System.nanoTime();
    Process process = builder.start();
    try (BufferedReader log = process.inputReader()) {
      int port = port(log);
      double started = (System.nanoTime() - begun) * 1e-6;
      String token = Files.readString(state.resolve("token")).strip();
      double[] millis = new double[QUESTIONS];
      try (KeptAliveClient client = new KeptAliveClient(port, "/v1/score", token)) {
        for (int i = 0; i < QUESTIONS; i++) {
          byte[] question = client.request(cluster.question(i));
          long sent = System.nanoTime();
          client.send(question);
          millis[i] = (System.nanoTime() - sent) * 1e-6;
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
      return new Start(started, millis);
    } finally {
      process.destroy();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static int port(BufferedReader log) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher m = LISTENING.matcher(line);
      if (m.find()) {
        return Integer.parseInt(m.group(1));
      }
      seen.append(line).append('\n');
    }
    throw new IOException("berth serve did not come to listen:\n" + seen);
  }
}
