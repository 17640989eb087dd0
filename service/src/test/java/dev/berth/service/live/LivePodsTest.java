package dev.berth.service.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LivePodsTest {
  private static PodBuilder pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web-7d9c-x2x4v")
        .withNamespace("shop")
        .withUid("u1")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("a")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("250m"), "memory", new Quantity("64Mi")))
        .withLimits(Map.of("cpu", new Quantity("1")))
        .endResources()
        .endContainer()
        .addNewContainer()
        .withName("b")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("0.5")))
        .endResources()
        .endContainer()
        .endSpec();
  }

  private static PodBuilder ownedBy(String kind, String name, String hash) {
    return pod()
        .editMetadata()
        .addNewOwnerReference()
        .withKind(kind)
        .withName(name)
        .withController(true)
        .endOwnerReference()
        .addToLabels("pod-template-hash", hash)
        .endMetadata();
  }

  @Test
  void podsOfAReplicaSetBelongToItsDeploymentThroughEveryRollout() {
    assertThat(LivePods.owner(ownedBy("ReplicaSet", "web-7d9c", "7d9c").build()))
        .isEqualTo("shop/Deployment/web");
  }

  @Test
  void otherPodsBelongToTheirControllerOrToThemselves() {
    assertThat(LivePods.owner(ownedBy("StatefulSet", "db", "").build()))
        .isEqualTo("shop/StatefulSet/db");
    assertThat(LivePods.owner(ownedBy("ReplicaSet", "bare", "7d9c").build()))
        .isEqualTo("shop/ReplicaSet/bare");
    assertThat(LivePods.owner(pod().build())).isEqualTo("shop/Pod/web-7d9c-x2x4v");
  }

  @Test
  void requestsOfAllContainersAddUpAndOneWithoutLimitMeansNoLimit() {
    Pod pod = pod().build();
    assertThat(LivePods.cpuRequestMilli(pod)).isEqualTo(750);
    assertThat(LivePods.memoryRequestBytes(pod)).isEqualTo(64L << 20);
    assertThat(LivePods.cpuLimitMilli(pod)).isZero();
  }

  @Test
  void aFinishedPodHoldsNoNode() {
    PodBuilder bound = pod().editSpec().withNodeName("node-1").endSpec();
    assertThat(LivePods.occupies(pod().build())).isFalse();
    assertThat(LivePods.occupies(bound.build())).isTrue();
    assertThat(LivePods.occupies(bound.withNewStatus().withPhase("Succeeded").endStatus().build()))
        .isFalse();
  }
}
