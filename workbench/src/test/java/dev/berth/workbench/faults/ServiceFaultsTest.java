package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.model.ModelFile;
import dev.berth.workbench.live.LocalCluster.Component;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service is away, stands still, or finds its files damaged. */
@Tag("faults")
@ExtendWith(FaultCluster.Shared.class)
@Timeout(300)
class ServiceFaultsTest {
  private final FaultCluster cluster;

  ServiceFaultsTest(FaultCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void killed() throws Exception {
    new Fault(cluster, "service killed")
        .breaks(() -> cluster.kill("service"))
        .alerts("BerthServiceDown")
        .mends(cluster::mend)
        .play();
  }

  @Test
  @Tag("cluster")
  void standsStill() throws Exception {
    new Fault(cluster, "service stands still (SIGSTOP)")
        .breaks(() -> cluster.signal("service", "STOP"))
        .alerts("BerthBreakerOpen")
        .mends(() -> cluster.signal("service", "CONT"))
        .play();
  }

  @Test
  void slow() throws Exception {
    Thread[] hand = new Thread[1];
    new Fault(cluster, "service slow (stands still four fifths of the time)")
        .breaks(() -> hand[0] = stutter())
        .mends(
            () -> {
              hand[0].interrupt();
              hand[0].join();
            })
        .play();
  }

  /** Stops and continues the service until it is interrupted. */
  private Thread stutter() throws Exception {
    String pid = String.valueOf(cluster.component("service").pid());
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  FaultCluster.run("kill", "-STOP", pid);
                  Thread.sleep(400);
                  FaultCluster.run("kill", "-CONT", pid);
                  Thread.sleep(100);
                }
              } catch (Exception e) {
                signal(pid, "CONT");
              }
            });
    thread.start();
    return thread;
  }

  private static void signal(String pid, String signal) {
    try {
      Thread.interrupted();
      FaultCluster.run("kill", "-" + signal, pid);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void noRoomOnTheDisk() throws Exception {
    new Fault(cluster, "no room on the service's disk (no file may grow)")
        .breaks(() -> prlimit("--fsize=0:unlimited"))
        .mends(() -> prlimit("--fsize=unlimited:unlimited"))
        .play();
  }

  private void prlimit(String limit) throws Exception {
    FaultCluster.run("prlimit", "--pid", String.valueOf(cluster.component("service").pid()), limit);
  }

  @Test
  void aDatabaseThatIsNone() throws Exception {
    Path file = cluster.stateFolder().resolve("experience.db");
    Path kept = file.resolveSibling("experience.kept");
    new Fault(
            cluster,
            "database overwritten; the service says so and does not start until it is moved away")
        .breaks(
            () -> {
              cluster.stop("service");
              Files.move(file, kept);
              Files.writeString(file, "no database".repeat(1000));
              assertThat(serve(Map.of())).contains(file.toString());
            })
        .mends(
            () -> {
              Files.delete(file);
              Files.move(kept, file);
              cluster.start("service");
            })
        .play();
  }

  @Test
  void aDatabaseThatIsRemovedWhileItIsOpen() throws Exception {
    Path file = cluster.stateFolder().resolve("experience.db");
    new Fault(cluster, "database removed while it is open; the service says what is lost")
        .losesTheStore()
        .breaks(() -> Files.delete(file))
        .meanwhile(
            () ->
                assertThat(cluster.get(cluster.url("service") + "/readyz"))
                    .contains("was recorded before is lost"))
        .play();
    assertThat(Files.size(file)).isPositive();
  }

  @Test
  void aModelCutShort() throws Exception {
    new Fault(cluster, "serving model cut short")
        .breaks(
            () -> {
              cluster.stop("service");
              Path model = servingModel();
              Files.write(model, Arrays.copyOf(Files.readAllBytes(model), 100));
              cluster.start("service");
            })
        .play();
  }

  @Test
  void aModelOfOtherFeatures() throws Exception {
    new Fault(cluster, "serving model of another feature schema")
        .breaks(
            () -> {
              cluster.stop("service");
              Path model = servingModel();
              Files.write(model, withSchema(Files.readAllBytes(model), 1));
              cluster.start("service");
            })
        .meanwhile(
            () ->
                assertThat(Files.readString(cluster.component("service").log()))
                    .contains("trained on other features"))
        .play();
  }

  private static byte[] withSchema(byte[] bytes, long schema) {
    ModelFile m = ModelFile.decode(bytes, "balance", "");
    return new ModelFile(
            m.task(),
            schema,
            m.base(),
            m.settings(),
            m.weights(),
            m.moments(),
            m.steps(),
            m.transitions())
        .encode();
  }

  private Path servingModel() throws Exception {
    Path folder = cluster.stateFolder().resolve("models/dqn");
    int version =
        new ObjectMapper().readTree(folder.resolve("serving.json").toFile()).get("version").asInt();
    return folder.resolve("v%06d.model".formatted(version));
  }

  @Test
  void theHeapIsFull() throws Exception {
    new Fault(cluster, "service's heap full: the process ends, as ExitOnOutOfMemoryError has it")
        .breaks(
            () -> {
              cluster.serviceSettings().put("JAVA_OPTS", "-Xmx64m");
              cluster.stop("service");
              cluster.start("service");
              flood();
            })
        .alerts("BerthServiceDown")
        .mends(
            () -> {
              cluster.serviceSettings().remove("JAVA_OPTS");
              cluster.mend();
            })
        .play();
  }

  /** Questions with as many candidates as are taken, eight at a time, until the process ends. */
  private void flood() throws Exception {
    Component service = cluster.component("service");
    HttpRequest question =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:" + (URI.create(service.url()).getPort() + 10) + "/v1/score"))
            .header("Authorization", "Bearer " + cluster.token())
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(10))
            .POST(BodyPublishers.ofString(question(20_000)))
            .build();
    HttpClient http = HttpClient.newHttpClient();
    FaultCluster.await(
        "the process to end",
        Duration.ofSeconds(90),
        () -> {
          CompletableFuture.allOf(
                  IntStream.range(0, 8)
                      .mapToObj(i -> http.sendAsync(question, BodyHandlers.discarding()))
                      .map(answer -> answer.handle((response, failure) -> response))
                      .toArray(CompletableFuture[]::new))
              .join();
          return ProcessHandle.of(service.pid()).isEmpty();
        });
    assertThat(Files.readString(service.log())).contains("java.lang.OutOfMemoryError");
  }

  private static String question(int candidates) {
    String zeros = numbers(candidates, 0);
    return """
    {"contract": 2, "decision": "flood/1", "scheduler": "flood", "mode": "active",
     "pod": {"uid": "flood", "name": "flood", "namespace": "default", "owner": "default/Job/flood",
             "priority": 0, "cpuMilli": 100, "memoryBytes": 1},
     "nodes": {"names": [%s], "cpuMilli": %s, "memoryBytes": %s, "podLimit": %s,
               "cpuRequestedMilli": %s, "memoryRequestedBytes": %s, "podCount": %s,
               "pendingCpuMilli": %s, "pendingMemoryBytes": %s, "pendingPods": %s}}
    """
        .formatted(
            IntStream.range(0, candidates)
                .mapToObj(i -> "\"flood-" + i + "\"")
                .collect(Collectors.joining(",")),
            numbers(candidates, 64000),
            numbers(candidates, 1L << 38),
            numbers(candidates, 110),
            zeros,
            zeros,
            zeros,
            zeros,
            zeros,
            zeros);
  }

  private static String numbers(int count, long value) {
    return Collections.nCopies(count, value).toString();
  }

  @Test
  void twoOnOneStateFolder() throws Exception {
    new Fault(
            cluster,
            "two trainers at once: a second service on the same state folder refuses to start")
        .breaks(
            () ->
                assertThat(
                        serve(Map.of("BERTH_SERVER_PORT", "0", "BERTH_SERVER_SCHEDULER_PORT", "0")))
                    .contains(cluster.stateFolder().toString()))
        .play();
  }

  /** Starts a service that must refuse to; returns what it says. */
  private String serve(Map<String, String> settings) throws Exception {
    Path root = Path.of(System.getProperty("berth.root"));
    ProcessBuilder builder =
        new ProcessBuilder(root.resolve("bin/berth").toString(), "serve").redirectErrorStream(true);
    builder.environment().put("BERTH_STATE_FOLDER", cluster.stateFolder().toString());
    builder.environment().putAll(settings);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isNotZero();
    return output;
  }
}
