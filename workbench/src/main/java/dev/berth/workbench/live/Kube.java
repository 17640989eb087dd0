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
   * @throws IllegalArgumentException when the file is not there, or no kubeconfig
   */
  public static KubernetesClient connect(@Nullable Path kubeconfig) {
    Config config;
    if (kubeconfig == null) {
      config = Config.autoConfigure(null);
    } else if (Files.isReadable(kubeconfig)) {
      config = read(kubeconfig);
    } else {
      throw new IllegalArgumentException(
          "cannot read kubeconfig " + kubeconfig + ": is the cluster up (`make up`)?");
    }
    Config patient = new ConfigBuilder(config).withRequestRetryBackoffLimit(3).build();
    return new KubernetesClientBuilder().withConfig(patient).build();
  }

  private static Config read(Path kubeconfig) {
    try {
      return Config.fromKubeconfig(kubeconfig.toFile());
    } catch (RuntimeException e) { // its message holds what is in the file: it may be a token
      throw new IllegalArgumentException(kubeconfig + " is no kubeconfig: name another");
    }
  }
}
