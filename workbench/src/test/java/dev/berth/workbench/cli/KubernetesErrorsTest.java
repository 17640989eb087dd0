package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class KubernetesErrorsTest {

  @Test
  void whatAKilledRunLeftIsNamedWithTheCommandThatRemovesIt() {
    KubernetesClientException conflict =
        new KubernetesClientException(
            new StatusBuilder()
                .withCode(409)
                .withMessage("deployments.apps \"web-1\" already exists")
                .build());
    assertThat(Workbench.kubernetes(conflict).orElseThrow())
        .contains("web-1")
        .contains("berth clean")
        .doesNotContain("is the cluster up");
  }

  @Test
  void aRefusalIsTheApiServersOwnWord() {
    KubernetesClientException forbidden =
        new KubernetesClientException(
            new StatusBuilder().withCode(403).withMessage("pods is forbidden").build());
    assertThat(Workbench.kubernetes(forbidden)).contains("Kubernetes refuses: pods is forbidden");
  }

  @Test
  void aClusterThatIsDownIsAskedFor() {
    KubernetesClientException down =
        new KubernetesClientException("io", new IOException(new ConnectException()));
    assertThat(Workbench.kubernetes(down).orElseThrow())
        .contains("connection refused")
        .contains("is the cluster up?");
  }
}
