package dev.berth.workbench.bench;

import dev.berth.service.Service;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * Latency of {@code POST /v1/score} over kept-alive loopback connections, by number of candidates.
 * The service runs as in production: bookkeeping with ten pods a node and fresh samples, experience
 * store on disk, metrics, and a learner that is told what became of the decisions.
 */
public final class ScoreBench {
  /**
   * One line of the table; times in microseconds.
   *
   * @param learned gradient steps while it was measured
   */
  public record Row(
      String policy,
      int candidates,
      int connections,
      boolean columns,
      int bodyBytes,
      long p50,
      long p99,
      long p999,
      long max,
      double perSecond,
      long learned) {}

  /**
   * What is asked.
   *
   * @param connections each asks its next question when it has its answer, and not before it is due
   * @param columns whether as binary columns, as the plugin does, or as JSON
   * @param requests at least so many in all, after as many to warm up
   * @param seconds at least so long, after as long to warm up; of a learner that begins with its
   *     first rewards, five seconds after the start, less shows nothing
   * @param perSecond questions that are due in a second, evenly; 0 for as many as can be asked. A
   *     question that had to wait for the answer before counts from when it was due
   */
  public record Plan(
      int candidates, int connections, boolean columns, int requests, int seconds, int perSecond) {}

  private final ServiceConfig config;

  /**
   * @param config {@code state-folder} must be empty, {@code server.port} 0
   */
  public ScoreBench(ServiceConfig config) {
    this.config = config;
  }

  /** Starts a service, measures it and stops it. */
  public Row run(Plan plan) throws IOException, InterruptedException {
    try (Service service = Service.start(config)) {
      String token = Files.readString(Path.of(config.stateFolder(), "token")).strip();
      SyntheticCluster cluster = new SyntheticCluster(plan.candidates());
      cluster.fill(service.scorer());
      byte[] body = plan.columns() ? cluster.columnsRequest(0) : cluster.scoreRequest(0);
      try (Feedback feedback = new Feedback(service, cluster, plan);
          Connections all = new Connections(plan, service.schedulerPort(), token, cluster)) {
        all.ask(feedback);
        long learned = feedback.gradientSteps();
        long start = System.nanoTime();
        Histogram nanos = all.ask(feedback);
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Row(
            config.scoring().policy(),
            plan.candidates(),
            plan.connections(),
            plan.columns(),
            body.length,
            nanos.getValueAtPercentile(50) / 1000,
            nanos.getValueAtPercentile(99) / 1000,
            nanos.getValueAtPercentile(99.9) / 1000,
            nanos.getMaxValue() / 1000,
            nanos.getTotalCount() / seconds,
            feedback.gradientSteps() - learned);
      }
    }
  }
}
