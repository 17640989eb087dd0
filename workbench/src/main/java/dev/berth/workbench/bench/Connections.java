package dev.berth.workbench.bench;

import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Connections that ask side by side, each one question after the other. One caller. */
final class Connections implements AutoCloseable {
  private static final int MAX_NANOS = 2_000_000_000;
  private static final int VARIANTS = 16;
  private static final String MARK = "\"decision\":\"";

  private final List<KeptAliveClient> clients = new ArrayList<>();
  private final List<byte[][]> questions = new ArrayList<>();
  private final ExecutorService threads;
  private final AtomicLong asked = new AtomicLong();
  private final ScoreBench.Plan plan;
  private final long nanosBetween;

  Connections(ScoreBench.Plan plan, int port, String token, SyntheticCluster cluster)
      throws IOException {
    this.plan = plan;
    threads = Executors.newFixedThreadPool(plan.connections());
    nanosBetween =
        plan.perSecond() == 0
            ? 0
            : TimeUnit.SECONDS.toNanos(1) * plan.connections() / plan.perSecond();
    for (int c = 0; c < plan.connections(); c++) {
      KeptAliveClient client = new KeptAliveClient(port, "/v1/score", token);
      clients.add(client);
      byte[][] variants = new byte[VARIANTS][];
      for (int i = 0; i < VARIANTS; i++) {
        variants[i] =
            plan.columns()
                ? client.request(SyntheticCluster.COLUMNS, cluster.columnsRequest(i))
                : client.request(cluster.scoreRequest(i));
      }
      questions.add(variants);
    }
  }

  /**
   * Asks as many questions, and as long, as the plan says at least; nanoseconds of every request.
   *
   * @param feedback told of every answered question's serial number
   */
  Histogram ask(Feedback feedback) throws IOException, InterruptedException {
    int least = plan.requests() / clients.size();
    long leastNanos = TimeUnit.SECONDS.toNanos(plan.seconds());
    List<Future<Histogram>> running = new ArrayList<>();
    for (int c = 0; c < clients.size(); c++) {
      KeptAliveClient client = clients.get(c);
      byte[][] variants = questions.get(c);
      long turn = c * nanosBetween / clients.size();
      running.add(
          threads.submit(
              () -> {
                Histogram nanos = new Histogram(MAX_NANOS, 3);
                long begun = System.nanoTime() + turn;
                for (int i = 0; i < least || System.nanoTime() - begun < leastNanos; i++) {
                  byte[] question = variants[i % VARIANTS];
                  long number = asked.incrementAndGet();
                  String serial = "%036d".formatted(number);
                  number(question, serial);
                  long sent = nanosBetween == 0 ? System.nanoTime() : due(begun + i * nanosBetween);
                  byte[] reply = client.send(question);
                  nanos.recordValue(Math.min(MAX_NANOS, System.nanoTime() - sent));
                  feedback.answered(serial + "/" + i % VARIANTS, number, reply);
                }
                return nanos;
              }));
    }
    Histogram all = new Histogram(MAX_NANOS, 3);
    for (Future<Histogram> one : running) {
      try {
        all.add(one.get());
      } catch (ExecutionException e) {
        throw new IOException("a question was not answered: " + e.getCause(), e);
      }
    }
    return all;
  }

  /** Waits until then. */
  private static long due(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return nanos;
  }

  /** Makes the question one of its own: the serial number becomes the end of its decision. */
  private static void number(byte[] question, String serial) {
    int at = MARK.length();
    while (!new String(question, at - MARK.length(), MARK.length(), StandardCharsets.US_ASCII)
        .equals(MARK)) {
      at++;
    }
    System.arraycopy(serial.getBytes(StandardCharsets.US_ASCII), 0, question, at, serial.length());
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (KeptAliveClient client : clients) {
      client.close();
    }
  }
}
