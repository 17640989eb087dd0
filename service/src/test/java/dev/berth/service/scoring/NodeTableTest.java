package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.Given;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which nodes {@code GET /score} is about. */
class NodeTableTest {
  private final NodeTable table = new NodeTable();

  @Test
  void aNodeThatNobodyNamesForAnHourHasLeftTheCluster() {
    table.update(Given.nodes("stays", "leaves"), 0);
    table.measured("measured", 4, 1e9, 0);
    table.update(Given.nodes("stays"), 3000);
    assertThat(table.names()).containsExactly("leaves", "measured", "stays");
    table.update(Given.nodes("stays"), 4000);
    assertThat(table.names()).containsExactly("stays");
  }

  @Test
  void ofInventedNodesNoMoreAreKeptThanAreAdmittedAndThoseForAMinute() {
    for (int question = 0; question < 10; question++) {
      Candidates invented =
          Given.nodes(IntStream.range(0, 5000).mapToObj(String::valueOf).toArray(String[]::new));
      for (int i = 0; i < invented.size(); i++) {
        invented.names()[i] += "-of-" + question;
      }
      table.update(invented, question);
    }
    table.measured("one more", 4, 1e9, 10);
    assertThat(table.names()).hasSize(ClusterState.NODES_ADMITTED).doesNotContain("one more");
    table.update(Given.nodes("n0"), 100);
    table.update(Given.nodes("n0", "n1"), 101);
    assertThat(table.names()).contains("n1").hasSizeLessThan(10);
  }

  @Test
  void whatChangesOnANodeIsKnownWithTheNextQuestion() {
    table.update(Given.nodes("n0", "n1"), 0);
    Candidates nodes = Given.nodes("n0", "n1");
    nodes.podCount()[1] += 3;
    table.update(nodes, 0.01);
    assertThat(table.all())
        .extracting(NodeTable.KnownNode::podCount)
        .last()
        .isEqualTo(nodes.podCount()[1]);
  }

  @Test
  void placesAreTheNodesASchedulerNamesAndUntilItAsksThoseMeasuredWithASize() {
    table.measured("machine", 4, 1e9, 0);
    table.measured("of unknown size", Double.NaN, 1e9, 0);
    assertThat(table.candidates().names()).containsExactly("machine");
    assertThat(table.candidates().cpuRequestedMilli()).containsExactly(Candidates.NOT_TOLD);
    table.update(Given.nodes("n0", "n1"), 1);
    assertThat(table.candidates().names()).containsExactly("n0", "n1");
  }

  @Test
  void whatCardsANodeHasIsKeptWhileQuestionsAreAboutOtherThings() {
    table.update(Given.gpuNodes(new int[][] {{1000, 300}, {}}), 0);
    table.update(Given.nodes("n0", "n1", "other"), 1);
    assertThat(table.gpuNodes())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.name()).isEqualTo("n0");
              assertThat(node.model()).isEqualTo("T4");
              assertThat(node.wholeFreeCards()).as("as when empty").isEqualTo(2);
            });
  }

  @Test
  void aNodeThatNoPodFitsOnIsKeptByItsMetricsAsTheSchedulerDescribedIt() {
    table.update(Given.nodes("full"), 0);
    for (double t = 30; t < 7200; t += 30) {
      table.measured("full", 2, 1e9, t);
    }
    assertThat(table.all())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.cpuMilli()).isEqualTo(64_000);
              assertThat(node.namedByScheduler()).isTrue();
            });
  }
}
