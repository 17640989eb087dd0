package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The contract's example of a decision in words. */
class ExplanationTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root"));

  @Test
  void theDocumentShowsWhatIsSaidOfTheExample() throws IOException {
    String said = said(example()).lines().map("    "::concat).collect(Collectors.joining("\n"));
    assertThat(Files.readString(ROOT.resolve("docs/explain.md"))).contains(said);
  }

  @Test
  void whatIsNotMeasuredIsNotMadeUp() throws IOException {
    ObjectNode decision = example();
    ((ObjectNode) decision.path("measured")).putNull("error");
    assertThat(said(decision)).doesNotContain("against the forecast").contains("after 6 min");
    assertThat(said(decision.putNull("measured")))
        .contains("since then measured: reward +0.0021")
        .doesNotContain("after 6 min");
    assertThat(said(decision.putNull("reward"))).contains("is not measured (yet)");
  }

  @Test
  void theOtherPluginsChoiceIsSaidWhereItIsKnown() throws IOException {
    ObjectNode decision = example();
    ((ObjectNode) decision.path("without")).put("node", "node-0").put("sum", 188).put("ties", 3);
    assertThat(said(decision))
        .contains("without Berth: the same node, among 3 alike (other plugins' sum 188)");
    ((ObjectNode) decision.path("reckoned")).put("here", 190);
    assertThat(said(decision.putNull("without")))
        .contains(
            "without Berth: node-1 (the stock profile's sum as reckoned here, 196 against 190)");
    assertThat(said(decision.putNull("reckoned"))).doesNotContain("without Berth");
  }

  @Test
  void whatOthersPlacedIsWhereItWouldBeWithoutBerth() throws IOException {
    assertThat(said(example().put("mode", "shadow")))
        .contains("without Berth: the same node, for Berth only watched");
    assertThat(said(example().put("reason", "too little is known")))
        .contains("without Berth: the same node, for Berth had no opinion");
    assertThat(said(example().put("mode", "shadow").putNull("node")))
        .doesNotContain("the same node");
  }

  @Test
  void whereTheCorrectionIsZeroNothingMovedIt() throws IOException {
    ObjectNode decision = example();
    ((ObjectNode) decision.path("moved")).putArray("by").addArray().add(1e-9);
    ((ArrayNode) decision.path("moved").path("by")).addArray().add(0);
    assertThat(said(decision))
        .contains("the learned correction did not change who is first\n")
        .doesNotContain("what moved it most");
  }

  @Test
  void whatLiesBeyondTheCandidatesKeptIsNotClaimed() throws IOException {
    ObjectNode decision = example().put("candidates", 500);
    ((ObjectNode) decision.path("nodes")).putArray("score").add(100).add(100).add(100);
    assertThat(said(decision))
        .contains("the best of 500 candidates, with at least 2 others")
        .contains("who is first of the candidates kept");
    assertThat(said(decision.put("node", "node-77")))
        .contains("of 500 candidates more than 3 were the best")
        .doesNotContain("other plugins' scores decided");
    ((ObjectNode) decision.path("nodes")).putArray("score").add(100).add(99).add(99);
    assertThat(said(decision)).contains("it was not among the 3 best of 500 candidates");
  }

  private static String said(JsonNode decision) {
    return String.join("\n", new Explanation(decision).lines());
  }

  private static ObjectNode example() throws IOException {
    Path file = ROOT.resolve("api/examples/decision.json");
    return (ObjectNode) new ObjectMapper().readTree(file.toFile());
  }
}
