package dev.berth.workbench.cli;

import dev.berth.workbench.live.Kube;
import dev.berth.workbench.live.LocalCluster;
import dev.berth.workbench.live.NodeUsage;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command talks to: the one named, else the local one of this repository. */
final class ClusterOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Cluster to talk to. Default: the local cluster (`make up`) if it runs, else"
              + " $KUBECONFIG, unless a local one is named.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      description = "Where usage is read. Default: the local cluster's.")
  private @Nullable String prometheus;

  @Option(
      names = "--cluster-state",
      paramLabel = "FOLDER",
      description = "State folder of the local cluster, when it is not the default one.")
  private @Nullable Path state;

  @Option(
      names = "--cluster-port-base",
      paramLabel = "PORT",
      description = "First port of the local cluster, when it is not the default one.")
  private @Nullable Integer portBase;

  private LocalCluster.@Nullable Status status;
  private boolean asked;

  /** The program that runs the local cluster; it lives beside this command's own build. */
  LocalCluster local() {
    List<String> flags = new ArrayList<>(List.of("--root", root().toString()));
    if (state != null) {
      flags.addAll(List.of("--state", state.toString()));
    }
    if (portBase != null) {
      flags.addAll(List.of("--port-base", portBase.toString()));
    }
    return new LocalCluster(root().resolve(".build/bin/berth-cluster"), flags);
  }

  /** The repository, as bin/berth names it. */
  static Path root() {
    return Path.of(System.getProperty("berth.root", ".")).toAbsolutePath().normalize();
  }

  KubernetesClient connect() throws IOException, InterruptedException {
    LocalCluster.Status local = kubeconfig == null ? running() : null;
    if (kubeconfig == null && local == null && named()) {
      throw new IOException(
          "the local cluster that --cluster-state or $CLUSTER_STATE names (or the port base) does"
              + " not run: `make up` starts it, --kubeconfig names another cluster");
    }
    return Kube.connect(local == null ? kubeconfig : local.kubeconfig());
  }

  /** Whoever names a local cluster must not be led to that of $KUBECONFIG. */
  private boolean named() {
    return state != null
        || portBase != null
        || !System.getenv().getOrDefault("CLUSTER_STATE", "").isEmpty()
        || !System.getenv().getOrDefault("CLUSTER_PORT_BASE", "").isEmpty();
  }

  @Nullable NodeUsage usage() throws IOException, InterruptedException {
    if (prometheus != null) {
      return new NodeUsage(prometheus, "1m");
    }
    LocalCluster.Status local = kubeconfig == null ? running() : null;
    return local == null ? null : new NodeUsage(local.component("prometheus").url(), "20s");
  }

  /** The local cluster if its API server is well, else null. */
  private LocalCluster.@Nullable Status running() throws IOException, InterruptedException {
    if (!asked && Files.isExecutable(root().resolve(".build/bin/berth-cluster"))) {
      LocalCluster.Status found = local().status();
      status = found.component("kube-apiserver").healthy() ? found : null;
    }
    asked = true;
    return status;
  }
}
