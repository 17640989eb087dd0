package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import dev.berth.simulator.experiment.FolderLock;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What a user has typed wrongly, or cannot have, is told before anything is done. */
class WrongValuesTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: x
      contexts: [{name: x, context: {cluster: x, user: x}}]
      clusters: [{name: x, cluster: {server: "http://127.0.0.1:%d"}}]
      users: [{name: x, user: {}}]
      """;

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "evidence-ab --anywhere 3 | --anywhere is 3.0: want a share of the pods, 0 to 1",
        "usage-exporter --port 99999 | --port is 99999: want 0 to 65535",
        "replay x --policy nosuch | nosuch",
        "demo --scenario nosuch | no scenario 'nosuch'",
        "train --agent dqn --scenario batch --out x --n-step 0 | n-step must be at least 1, got 0",
        "simulate deployments --policy x | unknown policy 'x'; there are:",
        "top --owners -1 | --owners is -1: want 0 or more",
        "workload --dry-run --pace -1 | --pace is -1.0: want 0 or more seconds",
        "workload --dry-run --patience 0 | --patience is 0: want 1 or more seconds",
      })
  void aWrongValueIsExitCodeTwoAndWhereToReadOn(String line, String message) {
    assertThat(run(line.split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .contains(message)
        .endsWith("see berth %s --help%n".formatted(line.split(" ")[0]));
  }

  @Test
  void aDemoWhoseFilesCannotBeWrittenDoesNotBegin() throws IOException {
    Path below = Files.createFile(folder.resolve("file")).resolve("demo");
    for (String command : new String[] {"demo", "evidence-demo"}) {
      err.getBuffer().setLength(0);
      assertThat(run(command, "--out", below.toString(), "--cluster-state", folder.toString()))
          .isEqualTo(1);
      assertThat(err.toString()).startsWith(command + ": cannot write " + below);
    }
  }

  @Test
  void aLocalClusterThatIsNamedAndDoesNotRunIsNotTakenForAnother() {
    for (String command : new String[] {"top", "clean", "workload"}) {
      err.getBuffer().setLength(0);
      assertThat(run(command, "--cluster-state", folder.toString())).isEqualTo(1);
      assertThat(err.toString())
          .startsWith(command + ": the local cluster that --cluster-state ")
          .contains(" does not run: `make up` starts it");
    }
  }

  @Test
  void aSweepKnowsItsMetricBeforeItTrains() throws IOException {
    Path grid =
        Files.writeString(
            folder.resolve("grid.yaml"),
            "fixed: {agent: dqn, scenario: deployments}\ngrid: {gamma: [0]}\nseeds: 1\n"
                + "evaluate: {scenarios: deployments, metric: request_cpu_varianse}\n");
    assertThat(run("sweep", grid.toString(), "--out", folder.resolve("out").toString()))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "metric: unknown metric 'request_cpu_varianse'; did you mean request_cpu_variance?")
        .doesNotContain("berth train --agent");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void aFolderThatATrainingOrASweepWorksInIsItsOwn() throws IOException {
    Path grid =
        Files.writeString(
            folder.resolve("grid.yaml"),
            "fixed: {agent: dqn, scenario: deployments}\ngrid: {gamma: [0]}\nseeds: 1\n"
                + "evaluate: {scenarios: deployments}\n");
    String out = folder.toString();
    try (Closeable other = FolderLock.take(folder.resolve("lock"), "")) {
      assertThat(run("train", "--agent", "dqn", "--scenario", "deployments", "--out", out))
          .isEqualTo(1);
      assertThat(run("sweep", grid.toString(), "--out", out)).isEqualTo(1);
    }
    assertThat(err.toString())
        .contains("train: another training is at work in " + out)
        .contains("sweep: another sweep is at work in " + out);
  }

  @Test
  void aClusterThatIsNotThereIsOneLine() throws IOException {
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    Logger fabric8 = (Logger) LoggerFactory.getLogger("io.fabric8");
    logged.start();
    fabric8.addAppender(logged);
    try {
      assertThat(exporter(1, 0)).isEqualTo(1);
    } finally {
      fabric8.detachAppender(logged);
    }
    assertThat(logged.list).isEmpty();
    assertThat(err.toString())
        .isEqualTo(
            "usage-exporter: Kubernetes does not answer well (connection refused): is the cluster"
                + " up?%n".formatted());
  }

  @Test
  void aPortThatIsTakenIsNamedWithTheWayOut() throws IOException {
    HttpServer cluster = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    cluster.createContext(
        "/version",
        exchange -> {
          byte[] version = "{\"major\":\"1\",\"minor\":\"34\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, version.length);
          exchange.getResponseBody().write(version);
          exchange.close();
        });
    cluster.start();
    int taken = cluster.getAddress().getPort();
    try {
      assertThat(exporter(taken, taken)).isEqualTo(1);
    } finally {
      cluster.stop(0);
    }
    assertThat(err.toString())
        .isEqualTo(
            "usage-exporter: port %d is taken: name another with --port, or 0 for a free one%n"
                .formatted(taken));
  }

  private int exporter(int cluster, int port) throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("config"), KUBECONFIG.formatted(cluster));
    return run("usage-exporter", "--kubeconfig=" + kubeconfig, "--port=" + port);
  }

  private int run(String... arguments) {
    return Workbench.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }
}
