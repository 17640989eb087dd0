package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One scheduler takes over from another; pods take the place of others. */
@Tag("faults")
@ExtendWith(FaultCluster.Shared.class)
@Timeout(300)
class SchedulerFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ELECTION =
      "leaderElection: {leaderElect: true, leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s,"
          + " resourceNamespace: kube-system, resourceName: faults}";
  private static final int NODES = 10;
  private static final int LOW = 3 * NODES;

  private final FaultCluster cluster;

  SchedulerFaultsTest(FaultCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void theLeaderIsKilledInMidBurstAndAStandbyTakesOver() throws Exception {
    Process[] standby = new Process[1];
    try {
      new Fault(cluster, "leading scheduler killed in mid-burst, a standby takes over")
          .ends("kube-scheduler")
          .pods(1, 100)
          .breaks(() -> standby[0] = elect())
          .inMidBurst(() -> cluster.kill("kube-scheduler"))
          .mends(
              () -> {
                cluster.mend();
                standby[0].destroyForcibly().waitFor();
              })
          .play();
    } finally {
      if (standby[0] != null) {
        standby[0].destroyForcibly().waitFor();
      }
      cluster.restartScheduler();
    }
  }

  /** Restarts the cluster's scheduler under leader election, and starts another beside it. */
  private Process elect() throws Exception {
    Path shipped = cluster.folder().resolve("kube-scheduler.yaml");
    String text = Files.readString(shipped);
    String off = "leaderElection: {leaderElect: false}";
    assertThat(text).contains(off);
    Path config =
        Files.writeString(cluster.folder().resolve("elected.yaml"), text.replace(off, ELECTION));
    cluster.restartScheduler("--config", config.toString());
    FaultCluster.await("the first scheduler to lead", PATIENCE, cluster::decides);
    Process second =
        new ProcessBuilder(
                cluster.program("berth-scheduler").toString(),
                "--config=" + config,
                "--bind-address=127.0.0.1",
                "--secure-port=" + FaultCluster.freePort(),
                "--cert-dir=" + cluster.folder().resolve("standby-certificates"))
            .redirectErrorStream(true)
            .redirectOutput(cluster.folder().resolve("logs/standby.log").toFile())
            .start();
    FaultCluster.await(
        "the second scheduler to stand by",
        PATIENCE,
        () ->
            Files.readString(cluster.folder().resolve("logs/standby.log"))
                .contains("Attempting to acquire leader lease"));
    return second;
  }

  @Test
  void podsArePreemptedWhileTheServiceStandsStill() throws Exception {
    try {
      new Fault(cluster, "pods preempt others while the service stands still (SIGSTOP)")
          .breaks(
              () -> {
                cluster.empty();
                create("low", LOW, "16", 0);
                cluster.signal("service", "STOP");
              })
          .meanwhile(this::preempt)
          .mends(() -> cluster.signal("service", "CONT"))
          .play();
    } finally {
      cluster.client().pods().inNamespace(Options.NAMESPACE).withLabel("faults").delete();
      cluster.client().scheduling().v1().priorityClasses().withName("faults-high").delete();
    }
  }

  private void preempt() throws Exception {
    cluster
        .client()
        .resource(
            new PriorityClassBuilder()
                .withNewMetadata()
                .withName("faults-high")
                .endMetadata()
                .withValue(1000)
                .build())
        .create();
    create("high", NODES, "40", 1000);
    assertThat(named("low"))
        .as("of " + LOW + " pods of low priority")
        .hasSizeBetween(1, LOW - NODES);
  }

  /** Creates pods, and waits until all of them are bound. */
  private void create(String name, int count, String cpu, int priority) throws Exception {
    for (int i : IntStream.range(0, count).toArray()) {
      cluster
          .client()
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName("faults-" + name + "-" + i)
                  .withNamespace(Options.NAMESPACE)
                  .addToLabels("faults", name)
                  .endMetadata()
                  .withNewSpec()
                  .withPriorityClassName(priority == 0 ? null : "faults-high")
                  .withTerminationGracePeriodSeconds(0L)
                  .addNewContainer()
                  .withName("main")
                  .withImage("registry.k8s.io/pause:3.10")
                  .withNewResources()
                  .withRequests(Map.of("cpu", new Quantity(cpu), "memory", new Quantity("1Gi")))
                  .endResources()
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
    FaultCluster.await(
        count + " pods '" + name + "' to be bound",
        PATIENCE,
        () -> named(name).stream().filter(p -> p.getSpec().getNodeName() != null).count() == count);
  }

  private List<Pod> named(String name) {
    return cluster
        .client()
        .pods()
        .inNamespace(Options.NAMESPACE)
        .withLabel("faults", name)
        .list()
        .getItems();
  }
}
