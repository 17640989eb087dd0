package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What api/openapi.yaml allows is taken, one more is refused by name: the contract is the one table
 * of limits, and the plugin's tests hold its messages against the same.
 */
class LimitsOfTheContractTest {
  private static final Path API = Path.of(System.getProperty("berth.root"), "api");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A value at the limit and one beyond, in their place in a message. */
  private record Limit(String path, JsonNode at, JsonNode beyond) {
    /** {@code gpuFreeMilli} of {@code nodes.gpuFreeMilli[0][0]}. */
    String name() {
      return path.replaceAll(".*\\.|\\[\\d+\\]", "");
    }
  }

  private interface Reader {
    void read(byte[] body) throws Exception;
  }

  private final List<Limit> limits = new ArrayList<>();
  private final JsonNode schemas;

  LimitsOfTheContractTest() throws IOException {
    schemas =
        new YAMLMapper().readTree(API.resolve("openapi.yaml").toFile()).at("/components/schemas");
  }

  @TestFactory
  Stream<DynamicTest> ofAQuestion() throws IOException {
    ObjectNode example = example("score-request.json");
    ObjectNode pod = (ObjectNode) example.get("pod");
    ((ObjectNode) pod.get("gpu")).put("milli", 1000); // several cards are whole ones
    whole((ObjectNode) example.get("events").get(0));
    return tests(
        "ScoreRequest",
        example,
        b -> ScoreRequestReader.read(b, b.length, 100, 2e9, new SenderClocks(), () -> {}));
  }

  @TestFactory
  Stream<DynamicTest> ofABatchOfOutcomes() throws IOException {
    ObjectNode example = example("outcomes-request.json");
    ObjectNode event = (ObjectNode) example.get("events").get(1);
    example.putArray("events").add(event);
    whole(event);
    return tests(
        "Outcomes",
        example,
        b -> new OutcomesReader(100, 2e9, new SenderClocks()).read(b, b.length));
  }

  /** With every field that an event may have. */
  private static void whole(ObjectNode event) throws IOException {
    ObjectNode pod = (ObjectNode) event.get("pod");
    event.put("decision", "d").set("uid", pod.get("uid"));
    pod.set("gpu", JSON.readTree("{\"count\": 1, \"milli\": 1000, \"models\": [\"T4\"]}"));
    pod.set("annotations", JSON.createObjectNode());
    event.set("without", JSON.readTree("{\"node\": \"n1\", \"sum\": 9, \"here\": 8, \"ties\": 1}"));
  }

  private Stream<DynamicTest> tests(String schema, ObjectNode example, Reader reader) {
    collect("", schemas.get(schema), example, example);
    assertThat(limits).isNotEmpty();
    return limits.stream()
        .map(
            limit ->
                DynamicTest.dynamicTest(
                    limit.path,
                    () -> {
                      assertThatCode(() -> reader.read(bytes(limit.at))).doesNotThrowAnyException();
                      assertThatThrownBy(() -> reader.read(bytes(limit.beyond)))
                          .isInstanceOf(Problem.class)
                          .extracting(e -> ((Problem) e).detail())
                          .asString()
                          .contains(limit.name());
                    }));
  }

  private static byte[] bytes(JsonNode message) {
    return message.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Every part of a message has a limit, or a form that is its limit. */
  private void collect(String path, JsonNode schema, JsonNode part, ObjectNode message) {
    JsonNode s = resolve(schema);
    switch (s.path("type").asText("enum")) {
      case "object" -> {
        s.path("properties")
            .fields()
            .forEachRemaining(
                p -> {
                  String name = path.isEmpty() ? p.getKey() : path + "." + p.getKey();
                  assertThat(part.has(p.getKey())).as("%s in the example", name).isTrue();
                  collect(name, p.getValue(), part.get(p.getKey()), message);
                });
        if (s.path("additionalProperties").isObject()) {
          ((ObjectNode) part).put("other", "x");
          collect(path + ".other", s.get("additionalProperties"), part.get("other"), message);
        }
      }
      case "array" -> {
        if (s.has("maxItems")) {
          int most = s.get("maxItems").asInt();
          limits.add(
              new Limit(
                  path, many(part, most, path, message), many(part, most + 1, path, message)));
        }
        collect(path + "[0]", s.get("items"), part.get(0), message);
      }
      case "integer" -> {
        BigIntegerNode most = BigIntegerNode.valueOf(s.get("maximum").bigIntegerValue());
        JsonNode more = BigIntegerNode.valueOf(most.bigIntegerValue().add(BigInteger.ONE));
        limits.add(new Limit(path, with(path, most, message), with(path, more, message)));
      }
      case "number" -> {
        double most = s.get("maximum").asDouble();
        limits.add(
            new Limit(
                path,
                with(path, DoubleNode.valueOf(most), message),
                with(path, DoubleNode.valueOf(Math.nextUp(most)), message)));
      }
      case "string" -> {
        if (s.has("format")) {
          return;
        }
        int most = s.get("maxLength").asInt();
        limits.add(
            new Limit(path, with(path, text(most), message), with(path, text(most + 1), message)));
        limits.add(new Limit(path, message, with(path, new TextNode("a\u0007b"), message)));
        if (s.has("minLength")) {
          limits.add(new Limit(path, message, with(path, new TextNode(""), message)));
        }
      }
      default -> assertThat(s.has("enum")).as(path).isTrue();
    }
  }

  private JsonNode resolve(JsonNode schema) {
    String reference = schema.path("$ref").asText();
    return reference.isEmpty()
        ? schema
        : resolve(schemas.get(reference.substring(reference.lastIndexOf('/') + 1)));
  }

  private static TextNode text(int length) {
    return new TextNode("x".repeat(length));
  }

  /** The message with another value at a place such as {@code pod.gpu.models[0]}. */
  private static JsonNode with(String path, JsonNode value, ObjectNode message) {
    ObjectNode copy = message.deepCopy();
    String pointer = "/" + path.replace("[", "/").replace("]", "").replace('.', '/');
    int last = pointer.lastIndexOf('/');
    ContainerNode<?> parent = (ContainerNode<?>) copy.at(pointer.substring(0, last));
    String key = pointer.substring(last + 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(key), value);
    } else {
      ((ObjectNode) parent).set(key, value);
    }
    if (path.startsWith("events") && key.equals("uid")) { // an event's uid is its pod's
      ((ObjectNode) copy.at("/events/0")).set(key, value);
      ((ObjectNode) copy.at("/events/0/pod")).set(key, value);
    }
    return copy;
  }

  private static JsonNode many(JsonNode array, int length, String path, ObjectNode message) {
    ArrayNode longer = JSON.createArrayNode();
    for (int i = 0; i < length; i++) {
      longer.add(array.get(0));
    }
    return with(path, longer, message);
  }

  private static ObjectNode example(String name) throws IOException {
    return (ObjectNode) JSON.readTree(Files.readString(API.resolve("examples").resolve(name)));
  }
}
