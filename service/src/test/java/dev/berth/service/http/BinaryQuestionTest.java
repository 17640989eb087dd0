package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.service.probe.SyntheticCluster;
import dev.berth.service.scoring.ScoreRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The binary form of a question says what its JSON does. */
class BinaryQuestionTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("berth.root"), "api/examples");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NamesOfLastQuestion names = new NamesOfLastQuestion();
  private final byte[] example;

  BinaryQuestionTest() throws IOException {
    example = Files.readAllBytes(EXAMPLES.resolve("score-request.columns"));
  }

  private ScoreRequest read(byte[] body) {
    return ScoreRequestReader.readBinary(body, body.length, 100, 2e9, new SenderClocks(), names)
        .request();
  }

  /** The example with every occurrence of a text replaced by another of the same length. */
  private byte[] with(String text, String other) {
    String all = new String(example, StandardCharsets.ISO_8859_1);
    assertThat(all).contains(text);
    return all.replace(text, other).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void theSharedExampleIsTheQuestionThatTheJsonExampleIs() throws IOException {
    ObjectNode json =
        (ObjectNode) JSON.readTree(Files.readString(EXAMPLES.resolve("score-request.json")));
    ((ObjectNode) json.get("pod")).remove("gpu");
    ((ObjectNode) json.get("nodes")).remove("gpuModels");
    ((ObjectNode) json.get("nodes")).remove("gpuFreeMilli");
    byte[] text = JSON.writeValueAsBytes(json);
    ScoreRequest want =
        ScoreRequestReader.read(text, text.length, 100, 2e9, new SenderClocks(), () -> {})
            .request();
    assertThat(read(example)).usingRecursiveComparison().isEqualTo(want);
  }

  @Test
  void whatTheBenchmarksAskIsAQuestionHoweverFewTheCandidates() {
    for (int nodes : new int[] {1, 10, 100}) {
      byte[] body = new SyntheticCluster(nodes).columnsRequest(1);
      assertThat(read(body).candidates().names()).hasSize(nodes);
    }
  }

  @Test
  void namesThatAreThoseOfTheQuestionBeforeAreTheSameArray() {
    String[] first = read(example).candidates().names();
    assertThat(read(example).candidates().names()).isSameAs(first);
    assertThat(read(with("node-1", "node-2")).candidates().names())
        .containsExactly("node-0", "node-2");
    assertThat(read(example).candidates().names()).containsExactly("node-0", "node-1");
  }

  @Test
  void whatJsonIsRefusedForIsRefused() {
    assertThatThrownBy(() -> read(with("node-1", "node-0"))).hasMessageContaining("there twice");
    assertThatThrownBy(() -> read(with("node-1", "node\t1"))).hasMessageContaining("U+0009");
    assertThatThrownBy(() -> read(with("node-1", "node-\u00e9"))).hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> read(with("\"scheduler\"", "\"schedulre\"")))
        .hasMessageContaining("unknown field schedulre");
    assertThatThrownBy(() -> read(with("BQ1", "BQ2"))).hasMessageContaining("begin with BQ1");
    assertThatThrownBy(
            () ->
                ScoreRequestReader.readBinary(
                    example, example.length, 1, 2e9, new SenderClocks(), names))
        .hasMessageContaining("2 entries, at most 1");
    byte[] longer = Arrays.copyOf(example, example.length + 1);
    assertThatThrownBy(() -> read(longer)).hasMessageContaining("goes on for 1 bytes");
  }

  @Test
  void nodesAreNotTakenTwice() {
    String left = "\"scheduler\":\"default-scheduler/5e1c\""; // it may be left out
    String nodes = "\"nodes\":{\"names\":[\"a\"]}";
    byte[] both = with(left, nodes + " ".repeat(left.length() - nodes.length()));
    assertThatThrownBy(() -> read(both)).hasMessageContaining("there twice");
  }

  @Test
  void aBodyThatEndsTooSoonIsRefused() {
    for (int length = 0; length < example.length; length++) {
      byte[] cut = Arrays.copyOf(example, length);
      assertThatThrownBy(() -> read(cut)).as("%d bytes", length).isInstanceOf(Problem.class);
    }
  }

  @Test
  void anyBytesAreReadOrRefused_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] body = example.clone();
      for (int times = 1 + random.nextInt(4); times > 0; times--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      try {
        read(body);
      } catch (Problem expected) {
        assertThat(expected.detail()).hasSizeLessThan(1_000);
      }
    }
  }
}
