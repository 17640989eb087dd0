package dev.berth.workbench.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Labels Nodes and Pods of a YAML file: single documents, several of them, or a List. */
final class YamlLabeler {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final TopologyLabels topology;
  private final Map<String, Integer> positionByKind = new HashMap<>();
  private int objects;
  private int added;

  YamlLabeler(TopologyLabels topology) {
    this.topology = topology;
  }

  TopologyLabels.Summary label(Path in, Path out) throws IOException {
    List<JsonNode> documents;
    try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(in.toFile())) {
      documents = all.readAll();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: not YAML: %s".formatted(in, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    }
    for (JsonNode document : documents) {
      visit(document);
    }
    if (objects == 0) {
      throw new IllegalArgumentException(in + " holds no object of kind Node or Pod");
    }
    try (Writer writer = Files.newBufferedWriter(out);
        SequenceWriter sequence = YAML.writer().writeValues(writer)) {
      for (JsonNode document : documents) {
        if (!document.isMissingNode() && !document.isNull()) {
          sequence.write(document);
        }
      }
    }
    return new TopologyLabels.Summary(objects, added);
  }

  private void visit(JsonNode node) {
    if (!(node instanceof ObjectNode object)) {
      return;
    }
    String kind = object.path("kind").asText();
    if (kind.endsWith("List") && object.path("items").isArray()) {
      String itemKind = kind.substring(0, kind.length() - "List".length());
      for (JsonNode item : object.path("items")) {
        // Items of a NodeList or PodList may leave their kind out.
        if (item instanceof ObjectNode entry) {
          visit(entry, entry.path("kind").asText(itemKind));
        }
      }
      return;
    }
    visit(object, kind);
  }

  private void visit(ObjectNode object, String kind) {
    if (kind.equals("Node") || kind.equals("Pod")) {
      int position = positionByKind.merge(kind, 1, Integer::sum) - 1;
      objects++;
      ObjectNode labels = child(child(object, "metadata"), "labels");
      put(labels, topology.rackKey(), topology.rack(position));
      put(labels, topology.serverKey(), topology.server(position));
    }
  }

  private static ObjectNode child(ObjectNode parent, String name) {
    return parent.get(name) instanceof ObjectNode existing ? existing : parent.putObject(name);
  }

  private void put(ObjectNode labels, String key, String value) {
    if (labels.path(key).asText().isEmpty()) {
      labels.put(key, value);
      added++;
    }
  }
}
