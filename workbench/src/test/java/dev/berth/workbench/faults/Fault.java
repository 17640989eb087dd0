package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One fault, played: all is well, something breaks, pods come, it is mended, all is well again.
 *
 * <p>Whatever breaks: every pod is bound meanwhile, the scheduler's process lives, no outcome is
 * dropped, and within a stated time the service decides again with books that name exactly the pods
 * that are bound, and still knows the decisions whose outcomes it acknowledged before.
 */
final class Fault {
  /** By then all is well again, without a restart by hand. Generous: a busy machine is no fault. */
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  private static final Duration ALERT = Duration.ofSeconds(60);
  private static final int REMEMBERED = 5;

  /** So many pods of a burst are bound when something happens in its midst. */
  private static final int MIDST = 5;

  /** Something that breaks or mends. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  private final FaultCluster cluster;
  private final String name;
  private Action breaks = () -> {};
  private @Nullable Action inMidBurst;
  private Action meanwhile = () -> {};
  private Action mends = () -> {};
  private @Nullable String alert;
  private boolean schedulerLives = true;
  private boolean storeIsLost;
  private int deployments = 3;
  private int replicas = 10;

  Fault(FaultCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  Fault breaks(Action action) {
    breaks = action;
    return this;
  }

  /** Runs beside the pods once some of them are bound; what it throws ends the play at once. */
  Fault inMidBurst(Action action) {
    inMidBurst = action;
    return this;
  }

  /** Runs once the pods are bound, while it is still broken: what must be seen then. */
  Fault meanwhile(Action action) {
    meanwhile = action;
    return this;
  }

  Fault mends(Action action) {
    mends = action;
    return this;
  }

  /** The rule of prometheus/rules/alerts.yaml that says so. */
  Fault alerts(String rule) {
    alert = rule;
    return this;
  }

  /** The fault is that this component ends. */
  Fault ends(String component) {
    schedulerLives = !component.equals("kube-scheduler");
    return this;
  }

  /** The fault is that what was recorded is gone. */
  Fault losesTheStore() {
    storeIsLost = true;
    return this;
  }

  Fault pods(int newDeployments, int newReplicas) {
    deployments = newDeployments;
    replicas = newReplicas;
    return this;
  }

  /** Plays it, and reports what held. What did not hold leaves a cluster for the next one. */
  void play() throws Exception {
    try {
      playAll();
    } catch (Exception | AssertionError e) {
      try {
        cluster.mend();
      } catch (IOException mending) {
        e.addSuppressed(mending);
      }
      throw e;
    }
  }

  private void playAll() throws Exception {
    System.out.println("fault: " + name);
    FaultCluster.await("all to be well before", RECOVERY, cluster::isWell);
    List<String> remembered = storeIsLost ? List.of() : acknowledged();
    int scheduler = cluster.component("kube-scheduler").pid();
    double dropped = dropped();
    double service = cluster.placements("service");

    breaks.run();
    double seconds = playPods();
    double byService = schedulerLives ? cluster.placements("service") - service : Double.NaN;
    String rule = alert;
    if (rule != null) {
      FaultCluster.await("alert " + rule, ALERT, () -> cluster.alerts(rule));
    }
    meanwhile.run();
    mends.run();
    double recovery = FaultCluster.await("all to be well again", RECOVERY, cluster::isWell);

    if (schedulerLives) {
      assertThat(cluster.component("kube-scheduler").pid()).as("scheduler").isEqualTo(scheduler);
      assertThat(dropped()).as("dropped outcomes").isEqualTo(dropped);
    }
    for (String pod : remembered) {
      assertThat(decisions(pod)).as("decision on " + pod).contains("\"decision\"");
    }
    int pods = deployments * replicas;
    cluster.report.add(
        new FaultReport.Line(name, pods, seconds, byService, remembered.size(), recovery, rule));
  }

  /** Fails when pods stay pending; returns the seconds until all were bound. */
  private double playPods() throws Exception {
    Action aside = inMidBurst;
    if (aside == null) {
      return playBurst();
    }
    Thread player = Thread.currentThread();
    long before = cluster.boundPods();
    FutureTask<Void> beside =
        new FutureTask<>(
            () -> {
              try {
                FaultCluster.await(
                    "the burst", RECOVERY, () -> cluster.boundPods() > before + MIDST);
                aside.run();
              } catch (Exception | AssertionError e) {
                player.interrupt(); // else it waits for pods that nobody binds, and hides why
                throw e;
              }
              return null;
            });
    new Thread(beside, "in mid-burst").start();
    double seconds = Double.NaN;
    try {
      seconds = playBurst();
    } catch (InterruptedException e) {
      Thread.interrupted(); // "beside" throws why
    }
    beside.get(RECOVERY.toSeconds(), TimeUnit.SECONDS);
    return seconds;
  }

  private double playBurst() throws Exception {
    long begun = System.nanoTime();
    cluster.play(deployments, replicas);
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Pods whose decision and outcome the service has on disk. */
  private List<String> acknowledged() throws Exception {
    FaultCluster.await(
        "the store to have written",
        RECOVERY,
        () -> cluster.serviceMetrics().sum("berth_store_queued") == 0);
    List<String> pods = new ArrayList<>();
    for (var pod : cluster.pods()) {
      String key = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
      if (pods.size() < REMEMBERED && decisions(key).contains("\"decision\"")) {
        pods.add(key);
      }
    }
    return pods;
  }

  private String decisions(String pod) throws Exception {
    return cluster.get(cluster.url("service") + "/v1/decisions?pod=" + pod);
  }

  private double dropped() throws Exception {
    double sum = cluster.schedulerMetrics().sum("berth_outcomes_dropped_total");
    return Double.isNaN(sum) ? 0 : sum; // no series yet: none dropped
  }
}
