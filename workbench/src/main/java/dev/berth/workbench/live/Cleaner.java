package dev.berth.workbench.live;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Empties namespaces of their Deployments, Jobs and pods. */
public final class Cleaner {
  private Cleaner() {}

  /** Namespaces that a workload made. */
  public static List<String> workloadNamespaces(KubernetesClient client) {
    List<String> names = new ArrayList<>();
    for (Namespace n : client.namespaces().withLabel(Workload.LABEL, "true").list().getItems()) {
      names.add(n.getMetadata().getName());
    }
    return names;
  }

  /** Deployments and pods in a namespace, for the question before deleting. */
  public static String contents(KubernetesClient client, String namespace) {
    return client.apps().deployments().inNamespace(namespace).list().getItems().size()
        + " Deployments and "
        + client.pods().inNamespace(namespace).list().getItems().size()
        + " pods";
  }

  /**
   * Deletes and waits until no Deployment and no pod is left.
   *
   * @throws IllegalStateException when any are left after {@code patience}
   */
  public static void empty(KubernetesClient client, String namespace, Duration patience)
      throws InterruptedException {
    client
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(namespace)
        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
        .delete();
    client.apps().replicaSets().inNamespace(namespace).delete();
    long deadline = System.nanoTime() + patience.toNanos();
    int left = Integer.MAX_VALUE;
    while (left > 0) {
      // Again and again: the ReplicaSet controller may have made a pod between two looks.
      client.pods().inNamespace(namespace).withGracePeriod(0).delete();
      left =
          client.pods().inNamespace(namespace).list().getItems().size()
              + client.apps().deployments().inNamespace(namespace).list().getItems().size();
      if (left > 0 && System.nanoTime() > deadline) {
        throw new IllegalStateException(
            left
                + " Deployments or pods are left in "
                + namespace
                + " after "
                + patience.toSeconds()
                + " s: is kube-controller-manager running (`make status`)?");
      }
      if (left > 0) {
        Thread.sleep(200);
      }
    }
  }
}
