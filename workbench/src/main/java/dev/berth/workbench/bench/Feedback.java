package dev.berth.workbench.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.Service;
import dev.berth.service.probe.SyntheticCluster;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Gives a learner something to learn from: places the pod of every tenth decision where its scores
 * say, lets the oldest of those end, and has every node measured each second. Thread-safe.
 */
final class Feedback implements AutoCloseable {
  private static final int EVERY = 10;
  private static final int RUNNING = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Service service;
  private final Scorer scorer;
  private final SyntheticCluster cluster;
  private final ScoreBench.Plan plan;
  private final Deque<String> running = new ArrayDeque<>();
  private final ScheduledExecutorService scrapes = Executors.newSingleThreadScheduledExecutor();

  Feedback(Service service, SyntheticCluster cluster, ScoreBench.Plan plan) {
    this.service = service;
    this.scorer = service.scorer();
    this.cluster = cluster;
    this.plan = plan;
    scrapes.scheduleAtFixedRate(() -> cluster.measure(scorer), 1, 1, TimeUnit.SECONDS);
  }

  /**
   * The pod of a decision is placed, or not.
   *
   * @param reply to its question
   */
  void answered(String decision, long number, byte[] reply) throws IOException {
    if (number % EVERY != 0) {
      return;
    }
    double now = scorer.now();
    int node = best(plan.columns() ? columns(reply) : text(reply));
    List<OutcomeEvent> events = new ArrayList<>();
    for (OutcomeEvent.Type type : List.of(OutcomeEvent.Type.RESERVED, OutcomeEvent.Type.BOUND)) {
      events.add(cluster.placed(type, now, decision, number, node));
    }
    synchronized (running) {
      running.addLast(decision);
      if (running.size() > RUNNING) {
        events.add(
            new OutcomeEvent(OutcomeEvent.Type.GONE, now, null, running.removeFirst(), null, null));
      }
    }
    scorer.intake().apply(events);
  }

  private byte[] columns(byte[] reply) { // a byte a score at its end
    return Arrays.copyOfRange(reply, reply.length - plan.candidates(), reply.length);
  }

  private static byte[] text(byte[] reply) throws IOException {
    JsonNode scores = JSON.readTree(reply).path("scores");
    byte[] all = new byte[scores.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) scores.get(i).asInt();
    }
    return all;
  }

  private static int best(byte[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  /** Gradient steps so far. */
  long gradientSteps() throws IOException, InterruptedException {
    String page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + service.readPort() + "/metrics"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    return page.lines()
        .filter(line -> line.startsWith("berth_train_steps"))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    scrapes.shutdownNow();
  }
}
