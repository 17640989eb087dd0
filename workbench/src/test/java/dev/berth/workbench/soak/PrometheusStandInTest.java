package dev.berth.workbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.prometheus.PrometheusClient;
import dev.berth.service.prometheus.QueryResult;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PrometheusStandInTest {

  @Test
  void answersTheServicesQueriesForEveryNode() throws Exception {
    SoakCluster cluster = new SoakCluster(3, new SplittableRandom(1));
    cluster.fill((pod, node) -> {});
    try (PrometheusStandIn standIn = new PrometheusStandIn(cluster, new SplittableRandom(2))) {
      PrometheusConfig config = PrometheusConfig.at(standIn.url());
      Queries queries = config.queries();
      PrometheusClient client = new PrometheusClient(config);
      QueryResult before = client.query(queries.cpuReading());
      TimeUnit.MILLISECONDS.sleep(20);
      standIn.scrape();
      QueryResult cpu = client.query(queries.cpuReading());
      assertThat(cpu.series()).hasSize(6);
      assertThat(cpu.series().get(2).labels())
          .containsEntry("instance", "worker-0002.cluster.local:9100")
          .containsEntry(Queries.QUANTITY, "cpu-seconds");
      for (int node = 0; node < 3; node++) {
        double seconds = cpu.series().get(node).value() - before.series().get(node).value();
        double wall = cpu.series().get(3 + node).value() - before.series().get(3 + node).value();
        assertThat(seconds / wall / cluster.usage().cores()[node]).isCloseTo(1, within(0.06));
        assertThat(client.query(queries.memory()).series().get(node).value())
            .isEqualTo(cluster.usage().bytes()[node]);
      }
      double age = System.currentTimeMillis() / 1000.0 - cpu.evaluatedAt();
      assertThat(age).isBetween(-1.0, 60.0);
      assertThat(client.query(queries.sampledAt()).series().get(0).value())
          .isLessThanOrEqualTo(client.query(queries.sampledAt()).evaluatedAt());
      assertThat(client.query(queries.latency()).series()).isEmpty();
    }
  }

  @Test
  void podsThatEndAreTakenOffTheirNodes() {
    SoakCluster cluster = new SoakCluster(2, new SplittableRandom(3));
    double idle = cluster.usage().cores()[1];
    cluster.place(cluster.newPod(), 1, 100);
    assertThat(cluster.usage().cores()[1]).isGreaterThan(idle);
    cluster.end(99, (pod, node) -> {});
    assertThat(cluster.running()).isEqualTo(1);
    cluster.end(100, (pod, node) -> assertThat(node).isEqualTo(1));
    assertThat(cluster.running()).isZero();
    assertThat(cluster.usage().cores()[1]).isCloseTo(idle, within(1e-12));
  }

  /** As kube-scheduler looks for feasible nodes: it goes on where it stopped. */
  @Test
  void candidatesGoRoundTheCluster() {
    SoakCluster cluster = new SoakCluster(5, new SplittableRandom(4));
    for (int first : new int[] {0, 3, 1, 4, 2, 0}) {
      SoakCluster.ScoreRequest q = cluster.scoreRequest("d", cluster.newPod(), 3);
      assertThat(cluster.node(q, 0)).isEqualTo(first);
      assertThat(cluster.node(q, 2)).isEqualTo((first + 2) % 5);
    }
  }
}
