package dev.berth.workbench.live;

import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Plays a list of Deployments on a real cluster.
 *
 * <p>Each Deployment is added once all pods of those before are bound and its turn has come: turn i
 * is {@code i * pace} after the start, so two runs of one list keep the same rhythm.
 */
public final class Workload {
  /** Marks the namespaces that {@code berth clean} may empty. */
  static final String LABEL = "berth.dev/workload";

  /**
   * @param namespace where the Deployments go; made and marked when missing
   * @param schedulerName {@code spec.schedulerName} of the pods
   * @param pace least time between two Deployments
   * @param patience how long a pod may stay unbound before the run gives up
   */
  public record Options(String namespace, String schedulerName, Duration pace, Duration patience) {
    public static final String NAMESPACE = "berth-workload";
    public static final Options DEFAULT =
        new Options(NAMESPACE, "default-scheduler", Duration.ZERO, Duration.ofSeconds(60));
  }

  /** Told after every change. */
  public interface Progress {
    /**
     * @param bound pods bound so far in the whole run
     * @param total pods that the whole list will have created
     */
    void at(int bound, int total, String deployment);
  }

  private final KubernetesClient client;
  private final Options options;
  private final Progress progress;

  public Workload(KubernetesClient client, Options options, Progress progress) {
    this.client = client;
    this.options = options;
    this.progress = progress;
  }

  /** What nodes have together. */
  public record Room(long cpuMilli, long memoryBytes, long pods) {}

  /** What the cluster's schedulable nodes have: loads are shares of it. */
  public static Room room(KubernetesClient client) {
    double cores = 0;
    double bytes = 0;
    long pods = 0;
    for (ClusterView.NodeLoad node : ClusterView.of(client).workers()) {
      cores += node.cpuCores();
      bytes += node.memoryBytes();
      pods += node.podLimit();
    }
    if (pods == 0) {
      throw new IllegalStateException("the cluster has no node that takes pods: add one first");
    }
    return new Room(Math.round(cores * 1000), Math.round(bytes), pods);
  }

  /**
   * Plays the list to its end, on top of what the namespace holds.
   *
   * @return how many pods of the list were bound, those of earlier epochs included
   * @throws UnboundPodsException when pods stay unbound for longer than the options allow
   */
  public int run(List<DeploymentPlan> plans) throws InterruptedException {
    prepareNamespace();
    int total = plans.stream().mapToInt(DeploymentPlan::podCount).sum();
    int before = 0; // bound in earlier epochs
    int epoch = 0; // created in this one
    int already = bound(); // not ours
    long begun = System.nanoTime();
    for (int i = 0; i < plans.size(); i++) {
      DeploymentPlan plan = plans.get(i);
      if (plan.action() == Action.RESET) {
        before += epoch;
        epoch = 0;
        already = 0;
        Cleaner.empty(client, options.namespace(), options.patience());
      }
      sleepUntil(begun + i * options.pace().toNanos());
      client.resource(deployment(plan)).create();
      epoch += plan.podCount();
      awaitBound(already + epoch, before - already, total, plan.name());
    }
    return before + epoch;
  }

  /**
   * @param expected pods that must be bound in the namespace
   * @param offset from these to the pods of the whole run, for the progress
   */
  private void awaitBound(int expected, int offset, int total, String name)
      throws InterruptedException {
    long deadline = System.nanoTime() + options.patience().toNanos();
    while (true) {
      int bound = bound();
      progress.at(Math.max(0, bound + offset), total, name);
      if (bound >= expected) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new UnboundPodsException(expected - bound, options.patience(), pods());
      }
      Thread.sleep(100);
    }
  }

  private int bound() {
    return (int) pods().stream().filter(LivePods::occupies).count();
  }

  private List<Pod> pods() {
    return client.pods().inNamespace(options.namespace()).list().getItems();
  }

  private static void sleepUntil(long nanoTime) throws InterruptedException {
    long left = nanoTime - System.nanoTime();
    if (left > 0) {
      Thread.sleep(Duration.ofNanos(left).toMillis());
    }
  }

  private void prepareNamespace() throws InterruptedException {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(options.namespace())
                .addToLabels(LABEL, "true")
                .endMetadata()
                .build())
        .serverSideApply();
    // Until the controller manager has made this account, every pod is refused.
    long deadline = System.nanoTime() + options.patience().toNanos();
    while (client.serviceAccounts().inNamespace(options.namespace()).withName("default").get()
        == null) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "namespace "
                + options.namespace()
                + " gets no default ServiceAccount: is"
                + " kube-controller-manager running (`make status`)?");
      }
      Thread.sleep(50);
    }
  }

  private Deployment deployment(DeploymentPlan plan) {
    Map<String, String> labels = Map.of("app", plan.name());
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(plan.name())
        .withNamespace(options.namespace())
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withReplicas(plan.podCount())
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withSchedulerName(options.schedulerName())
        .withAutomountServiceAccountToken(false)
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("main")
        .withImage("registry.k8s.io/pause:3.10")
        .withNewResources()
        .withRequests(quantities(plan.cpuRequestMilli(), plan.memoryRequestBytes()))
        .withLimits(quantities(plan.cpuLimitMilli(), plan.memoryLimitBytes()))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Map<String, Quantity> quantities(long cpuMilli, long memoryBytes) {
    return Map.of(
        "cpu", new Quantity(cpuMilli + "m"),
        "memory", new Quantity(Long.toString(memoryBytes)));
  }
}
