package dev.berth.workbench.live;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Connects to a cluster. */
public final class Kube {
  private Kube() {}

  /**
   * A client for the given kubeconfig, or for {@code $KUBECONFIG} and {@code ~/.kube/config}.
   *
   * @throws IllegalArgumentException when the file is not there
   */
  public static KubernetesClient connect(@Nullable Path kubeconfig) {
    Config config;
    if (kubeconfig == null) {
      config = Config.autoConfigure(null);
    } else if (Files.isReadable(kubeconfig)) {
      config = Config.fromKubeconfig(kubeconfig.toFile());
    } else {
      throw new IllegalArgumentException(
          "cannot read kubeconfig " + kubeconfig + ": is the cluster up (`make up`)?");
    }
    Config patient = new ConfigBuilder(config).withRequestRetryBackoffLimit(3).build();
    return new KubernetesClientBuilder().withConfig(patient).build();
  }
}
