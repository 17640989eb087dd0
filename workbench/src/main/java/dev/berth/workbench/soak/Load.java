package dev.berth.workbench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.probe.KeptAliveClient;
import dev.berth.workbench.bench.ServiceProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler's side: asks about one pod after another at a steady rate, binds it where the
 * scores are best, tells the outcome, and ends pods when their time is over.
 *
 * <p>Thread rule: one thread runs phases; {@link #answered}, {@link #errors} and {@link #window}
 * are for another.
 */
final class Load {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MAX_NANOS = Duration.ofHours(1).toNanos();

  /** One of so many pods is not bound after all. */
  private static final int UNRESERVED_EVERY = 50;

  private final ServiceProcess service;
  private final SoakCluster cluster;
  private final Outcomes outcomes;
  private final SoakPlan plan;
  private final SplittableRandom random;
  private final Recorder window = new Recorder(MAX_NANOS, 3);
  private final LongAdder answered = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private @Nullable KeptAliveClient client;
  private String firstError = "";
  private int decisions;

  Load(
      ServiceProcess service,
      SoakCluster cluster,
      Outcomes outcomes,
      SoakPlan plan,
      SplittableRandom random) {
    this.service = service;
    this.cluster = cluster;
    this.outcomes = outcomes;
    this.plan = plan;
    this.random = random;
  }

  long answered() {
    return answered.sum();
  }

  long errors() {
    return errors.sum();
  }

  String firstError() {
    return firstError;
  }

  /** Times since the last call, nanoseconds from when decisions were due. */
  Histogram window() {
    return window.getIntervalHistogram();
  }

  /** Runs one phase over a connection of its own; ends early when the service does. */
  SoakResult.PhaseResult run(SoakPlan.Phase phase) throws IOException, InterruptedException {
    Histogram nanos = new Histogram(MAX_NANOS, 3);
    long answeredBefore = answered();
    long errorsBefore = errors();
    long start = System.nanoTime();
    long end = start + phase.lasts().toNanos();
    OpenLoop loop = new OpenLoop(phase.perSecond());
    while (loop.due() < end && System.nanoTime() < end && service.ended().isEmpty()) {
      cluster.end(System.nanoTime(), (pod, node) -> outcomes.gone(pod, cluster.name(node)));
      String decision = "soak/" + decisions++;
      SoakCluster.ScoreRequest asked =
          cluster.scoreRequest(decision, cluster.newPod(), phase.candidates());
      long due = loop.await();
      int best = ask(asked);
      long took = Math.min(MAX_NANOS, System.nanoTime() - due);
      nanos.recordValue(took);
      window.recordValue(took);
      if (best >= 0) {
        outcome(decision, asked.pod(), cluster.node(asked, best));
      }
    }
    disconnect();
    double seconds = Math.min(end, System.nanoTime()) - start;
    return new SoakResult.PhaseResult(
        phase,
        Math.round(seconds * 1e-9 * phase.perSecond()),
        answered() - answeredBefore,
        errors() - errorsBefore,
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6,
        nanos.getMaxValue() / 1e6);
  }

  /** The best candidate, equal ones drawn by lot; -1 when there is no good answer in time. */
  private int ask(SoakCluster.ScoreRequest asked) {
    long sent = System.nanoTime();
    try {
      KeptAliveClient to = client;
      if (to == null) {
        to =
            new KeptAliveClient(
                service.schedulerPort(), "/v1/score", service.token(), plan.patience());
        client = to;
      }
      JsonNode scores = JSON.readTree(to.send(to.request(asked.body()))).path("scores");
      Duration took = Duration.ofNanos(System.nanoTime() - sent);
      if (took.compareTo(plan.patience()) > 0) {
        throw new IOException("the answer took " + took.toMillis() + " ms");
      }
      answered.increment();
      return best(scores);
    } catch (IOException e) {
      errors.increment();
      if (firstError.isEmpty()) {
        firstError = String.valueOf(e.getMessage());
      }
      disconnect();
      return -1;
    }
  }

  private int best(JsonNode scores) {
    int best = -1;
    int highest = -1;
    int equals = 0;
    for (int i = 0; i < scores.size(); i++) {
      int score = scores.get(i).asInt();
      equals = score > highest ? 1 : score == highest ? equals + 1 : equals;
      if (score > highest || (score == highest && random.nextInt(equals) == 0)) {
        best = i;
      }
      highest = Math.max(highest, score);
    }
    return best;
  }

  private void outcome(String decision, SoakCluster.NewPod pod, int node) {
    String name = cluster.name(node);
    outcomes.placed("reserved", decision, pod, name);
    if (random.nextInt(UNRESERVED_EVERY) == 0) {
      outcomes.placed("unreserved", decision, pod, name);
      return;
    }
    long runs = (long) (plan.podRuns().toNanos() * random.nextDouble(0.5, 1.5));
    cluster.place(pod, node, System.nanoTime() + runs);
    outcomes.placed("bound", decision, pod, name);
  }

  private void disconnect() {
    if (client != null) {
      try {
        client.close();
      } catch (IOException e) {
        errors.increment();
      }
    }
    client = null;
  }
}
