package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The default queries against a real Prometheus that scrapes a real node_exporter. */
class RealPrometheusTest {
  private static final Path BIN = Path.of(System.getProperty("berth.root"), ".build/bin");
  private final List<Process> processes = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : processes) {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  @Timeout(60)
  void theDefaultQueriesMeasureThisMachineInCoresAndBytes() throws Exception {
    assumeTrue(Files.isExecutable(BIN.resolve("prometheus")), "make tools builds prometheus");
    assumeTrue(Files.isExecutable(BIN.resolve("node_exporter")), "make tools builds node_exporter");
    int exporterPort = freePort();
    int prometheusPort = freePort();
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
          - job_name: node
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        """
            .formatted(exporterPort));
    run("node_exporter", "--web.listen-address=127.0.0.1:" + exporterPort);
    run(
        "prometheus",
        "--config.file=" + config,
        "--storage.tsdb.path=" + folder.resolve("data"),
        "--web.listen-address=127.0.0.1:" + prometheusPort);
    PrometheusConfig settings =
        ConfigLoader.load(
                null,
                Map.of(
                    "BERTH_PROMETHEUS_URL", "http://127.0.0.1:" + prometheusPort,
                    "BERTH_PROMETHEUS_INTERVAL", "250ms",
                    "BERTH_PROMETHEUS_WINDOW", "4s"))
            .prometheus();
    try (PrometheusPuller puller =
        new PrometheusPuller(
                settings,
                new ServiceMetrics(),
                Clock.systemUTC(),
                RunningPods.NONE,
                s -> {},
                new Tasks(task -> () -> {}))
            .start()) {
      Snapshot snapshot = puller.latest();
      while (Double.isNaN(snapshot.value("127.0.0.1", Metric.CPU))) {
        TimeUnit.MILLISECONDS.sleep(50);
        snapshot = puller.latest();
      }
      double cores = snapshot.value("127.0.0.1", Metric.CPU_CAPACITY);
      assertThat(cores).isEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(snapshot.value("127.0.0.1", Metric.CPU)).isBetween(0.001, cores * 1.1);
      double window =
          snapshot.value("127.0.0.1", Metric.SAMPLED_AT) - snapshot.windowStart("127.0.0.1");
      assertThat(window).isBetween(0.9, 30.0); // one scrape, or some that a busy machine missed
      assertThat(snapshot.value("127.0.0.1", Metric.MEMORY))
          .isBetween(1e7, snapshot.value("127.0.0.1", Metric.MEMORY_CAPACITY));
      assertThat(snapshot.value("127.0.0.1", Metric.CONNECTIONS)).isNotNegative();
      double age = snapshot.pulledAt() - snapshot.value("127.0.0.1", Metric.SAMPLED_AT);
      assertThat(age).isBetween(-0.1, 3.0);
    }
  }

  private void run(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(BIN.resolve(name).toString()));
    command.addAll(List.of(arguments));
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
