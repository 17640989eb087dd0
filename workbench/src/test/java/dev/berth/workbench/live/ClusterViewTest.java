package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterViewTest {
  private static Node node(String name, boolean tainted) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("topology.kubernetes.io/zone", "zone-a")
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus()
            .withAllocatable(
                Map.of(
                    "cpu", new Quantity("4"),
                    "memory", new Quantity("8Gi"),
                    "pods", new Quantity("110")))
            .endStatus()
            .build();
    return tainted
        ? new NodeBuilder(node)
            .editSpec()
            .addNewTaint("NoSchedule", "node-role.kubernetes.io/control-plane", null, null)
            .endSpec()
            .build()
        : node;
  }

  private static Pod pod(String name, String node) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .addNewContainer()
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("1"), "memory", new Quantity("2Gi")))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase(node == null ? "Pending" : "Running")
        .endStatus()
        .build();
  }

  private static final ClusterView VIEW =
      ClusterView.of(
          List.of(node("node-10", false), node("node-2", false), node("control-0", true)),
          List.of(pod("a", "node-2"), pod("b", "node-2"), pod("c", "node-10"), pod("d", null)));

  @Test
  void addsUpWhatIsRequestedOnEachNodeInNaturalOrder() {
    assertThat(VIEW.nodes())
        .extracting(ClusterView.NodeLoad::name)
        .containsExactly("control-0", "node-2", "node-10");
    assertThat(VIEW.nodes().get(1).cpuShare()).isEqualTo(0.5);
    assertThat(VIEW.nodes().get(1).memoryShare()).isEqualTo(0.5);
    assertThat(VIEW.nodes().get(1).pods()).isEqualTo(2);
    assertThat(VIEW.pending()).isEqualTo(1);
  }

  @Test
  void measuresSpreadOverTheNodesThatTakePodsOnly() {
    assertThat(VIEW.workers()).hasSize(2);
    assertThat(VIEW.cpuRequestStd()).isCloseTo(0.125, within(1e-12)); // shares 0.5 and 0.25
  }

  @Test
  void theTableShowsEveryNodeItsUsageWhereMeasuredAndWhoRuns() {
    String table = TopTable.render(VIEW, Map.of("node-2", 0.3), Map.of(), 2);
    assertThat(table)
        .containsPattern("node-2 .*50\\.0%.*30\\.0% ######\\.{14}")
        .containsPattern("node-10 .*25\\.0%  - ")
        .containsPattern("control-0 .*\\(takes no pods\\)")
        .contains("4 pods of 4 owners, 1 pending")
        .contains("and 2 more owners");
  }
}
