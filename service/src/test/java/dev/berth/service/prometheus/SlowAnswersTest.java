package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.service.config.NodeNames;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.task.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prometheus' clock is half a minute ahead, and now and then an answer takes its time. */
class SlowAnswersTest {
  private static final double AHEAD = 30;
  private volatile double now = 1_000;

  private final InstantSource clock = () -> Instant.ofEpochMilli(Math.round(now * 1000));

  @Test
  void oneSlowAnswerChangesNothingOfWhatIsKnownOfAClock() throws Exception {
    double[] takes = {0};
    List<Snapshot> got = new ArrayList<>();
    try (FakePrometheus prometheus = new FakePrometheus()) {
      prometheus.on(
          () -> {
            Instant evaluatedAt = Instant.ofEpochMilli(Math.round((now + AHEAD) * 1000));
            now += takes[0];
            return evaluatedAt;
          });
      NodeNames names =
          new NodeNames(List.of("node", "instance"), true, "", "$1", "", "instance", "nodename");
      PrometheusConfig config =
          new PrometheusConfig(
              prometheus.url(),
              Duration.ofSeconds(5),
              Duration.ofSeconds(3),
              Duration.ofMinutes(1),
              "",
              "auto",
              names,
              new Queries("", "", "", "", "", "sampled", "", "", "", ""));
      try (PrometheusPuller puller =
          new PrometheusPuller(
              config,
              new ServiceMetrics(),
              clock.withZone(ZoneOffset.UTC),
              RunningPods.NONE,
              got::add,
              new Tasks(task -> () -> {}))) {
        for (int pull = 0; pull < 4; pull++) {
          takes[0] = pull == 2 ? 2.9 : 0;
          double scraped = now - 5;
          prometheus.answers("sampled", "a:9100", String.valueOf(scraped + AHEAD));
          puller.pull();
          assertThat(got.get(pull).value("a", Metric.SAMPLED_AT))
              .as("pull %d", pull)
              .isCloseTo(scraped, within(0.1));
          now += 15;
        }
      }
    }
  }
}
