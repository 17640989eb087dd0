package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  /** The plugin's test reads the same file: both must name an owner alike. */
  @ParameterizedTest
  @MethodSource("owners")
  void ownersAreThoseOfTheSharedExamples(JsonNode e) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(e.get("namespace").asText())
            .withName(e.get("name").asText())
            .withGenerateName(e.path("generateName").asText(null))
            .endMetadata();
    e.get("labels")
        .properties()
        .forEach(
            label ->
                pod.editMetadata()
                    .addToLabels(label.getKey(), label.getValue().asText())
                    .endMetadata());
    if (e.has("controller")) {
      pod.editMetadata()
          .addNewOwnerReference()
          .withKind(e.get("controller").get("kind").asText())
          .withName(e.get("controller").get("name").asText())
          .withController(true)
          .endOwnerReference()
          .endMetadata();
    }
    assertThat(LivePods.owner(pod.build()))
        .as(e.get("example").asText())
        .isEqualTo(e.get("owner").asText());
  }

  static Stream<JsonNode> owners() throws IOException {
    Path file = Path.of(System.getProperty("berth.root"), "api/examples/owners.json");
    return StreamSupport.stream(
        new ObjectMapper().readTree(Files.readString(file)).spliterator(), false);
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

  private static Node node(String speed) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("node-3")
        .addToAnnotations("usage.berth.dev/speed", speed)
        .endMetadata()
        .build();
  }

  @Test
  void aNodesSpeedIsThatOfItsAnnotation() {
    assertThat(LivePods.speed(node("0.7"))).isEqualTo(0.7);
    Node plain = new NodeBuilder().withNewMetadata().withName("node-0").endMetadata().build();
    assertThat(LivePods.speed(plain)).isEqualTo(1);
    for (String wrong : List.of("fast", "0", "-1", "NaN", "Infinity", "")) {
      assertThatThrownBy(() -> LivePods.speed(node(wrong)))
          .hasMessageContaining("node node-3 has usage.berth.dev/speed '" + wrong + "'");
    }
  }
}
