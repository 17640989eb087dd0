package dev.berth.workbench.bench;

import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Services of Flask and PyTorch as the systems before us had, measured beside ours by turns: what
 * else the machine does meets all alike, and nothing of ours runs while a rival answers.
 */
public final class FlaskRivals implements AutoCloseable {
  private static final int TURNS = 3;
  private static final int MAX_NANOS = 2_000_000_000;
  private static final int MIN_REQUESTS = 30;
  private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final String NO_TOKEN = "none";

  /** A first answer loads much, and other work may slow it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final FlaskService development;
  private final FlaskService waitress;

  /**
   * Starts them; seconds, for they load PyTorch.
   *
   * @param python with the packages of {@code workbench/rivals/requirements.txt}
   * @param logs folder for what they write
   */
  public FlaskRivals(Path python, Path logs) throws IOException {
    development = new FlaskService(python, "flask", logs.resolve("flask.log"));
    waitress = new FlaskService(python, "waitress", logs.resolve("waitress.log"));
  }

  /**
   * One line of the table; times in microseconds, medians over the turns.
   *
   * @param timesOurs p50 as a multiple of ours in the same turns, 1 for ours
   */
  public record Row(
      String service,
      int candidates,
      int bodyBytes,
      long p50,
      long p99,
      double perSecond,
      double timesOurs,
      double timesOursAtP99) {}

  /** What one turn of ours gives. */
  @FunctionalInterface
  public interface Ours {
    ScoreBench.Row turn() throws IOException, InterruptedException;
  }

  /** A turn's figures; times in microseconds. */
  private record Turn(int bodyBytes, long p50, long p99, double perSecond) {}

  /** One line each, ours first; each turn a few seconds. */
  public List<Row> beside(String name, Ours ours, int candidates)
      throws IOException, InterruptedException {
    byte[] objects = KubernetesObjects.question(candidates);
    byte[] columns = new SyntheticCluster(candidates).scoreRequest(0);
    List<Turn> mine = new ArrayList<>();
    List<Turn> asTheyHadIt = new ArrayList<>();
    List<Turn> served = new ArrayList<>();
    List<Turn> best = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      ScoreBench.Row row = ours.turn();
      mine.add(new Turn(row.bodyBytes(), row.p50(), row.p99(), row.perSecond()));
      asTheyHadIt.add(turn(development, "/score", objects));
      served.add(turn(waitress, "/score", objects));
      best.add(turn(waitress, "/columns", columns));
    }
    return List.of(
        row(name, candidates, mine, mine),
        row("Flask's server, Kubernetes objects", candidates, asTheyHadIt, mine),
        row("waitress, Kubernetes objects", candidates, served, mine),
        row("waitress, our small question, orjson", candidates, best, mine));
  }

  /** Half a turn to warm up, then the turn. */
  private static Turn turn(FlaskService service, String path, byte[] body) throws IOException {
    ask(service, path, body, TURN_NANOS / 2);
    long start = System.nanoTime();
    Histogram nanos = ask(service, path, body, TURN_NANOS);
    double seconds = (System.nanoTime() - start) * 1e-9;
    return new Turn(
        body.length,
        nanos.getValueAtPercentile(50) / 1000,
        nanos.getValueAtPercentile(99) / 1000,
        nanos.getTotalCount() / seconds);
  }

  /** On one connection, or, where the server keeps none, on a new one for every question. */
  private static Histogram ask(FlaskService service, String path, byte[] body, long nanos)
      throws IOException {
    Histogram all = new Histogram(MAX_NANOS, 3);
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end || all.getTotalCount() < MIN_REQUESTS) {
      long sent = System.nanoTime();
      try (KeptAliveClient client = new KeptAliveClient(service.port(), path, NO_TOKEN, PATIENCE)) {
        byte[] question = client.request(body);
        do {
          client.send(question);
          all.recordValue(Math.min(MAX_NANOS, System.nanoTime() - sent));
          sent = System.nanoTime();
        } while (service.keepsConnections() && (sent < end || all.getTotalCount() < MIN_REQUESTS));
      }
    }
    return all;
  }

  private static Row row(String service, int candidates, List<Turn> turns, List<Turn> ours) {
    double[] ratios = new double[turns.size()];
    double[] tails = new double[turns.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = (double) turns.get(i).p50() / ours.get(i).p50();
      tails[i] = (double) turns.get(i).p99() / ours.get(i).p99();
    }
    return new Row(
        service,
        candidates,
        turns.get(0).bodyBytes(),
        Math.round(median(turns.stream().mapToDouble(Turn::p50).toArray())),
        Math.round(median(turns.stream().mapToDouble(Turn::p99).toArray())),
        median(turns.stream().mapToDouble(Turn::perSecond).toArray()),
        median(ratios),
        median(tails));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  @Override
  public void close() {
    development.close();
    waitress.close();
  }
}
