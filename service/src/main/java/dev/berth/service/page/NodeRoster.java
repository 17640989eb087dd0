package dev.berth.service.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.service.scoring.NodeTable.KnownNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Who the nodes are: what changes only when a node comes, goes or is made anew. A name is told once
 * and groups by number, so that 5,000 nodes are 30 kB.
 */
final class NodeRoster {
  private static final double GIB = 1 << 30;

  private NodeRoster() {}

  static void write(List<KnownNode> nodes, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeArrayFieldStart("names");
    for (KnownNode node : nodes) {
      out.writeString(node.name());
    }
    out.writeEndArray();
    group(out, "zone", nodes, KnownNode::zone);
    group(out, "rack", nodes, KnownNode::rack);
    group(out, "pool", nodes, NodeRoster::pool);
    out.writeArrayFieldStart("cpuMilli");
    for (KnownNode node : nodes) {
      out.writeNumber(node.cpuMilli());
    }
    out.writeEndArray();
    out.writeArrayFieldStart("memoryMiB");
    for (KnownNode node : nodes) {
      out.writeNumber(node.memoryBytes() >> 20);
    }
    out.writeEndArray();
    out.writeArrayFieldStart("podLimit");
    for (KnownNode node : nodes) {
      out.writeNumber(node.podLimit());
    }
    out.writeEndArray();
    out.writeArrayFieldStart("offered");
    for (KnownNode node : nodes) {
      out.writeNumber(node.namedByScheduler() ? 1 : 0);
    }
    out.writeEndArray();
    cards(nodes, out);
    out.writeEndObject();
  }

  /** Free thousandths of each card, by the node's place; nodes without cards are not named. */
  private static void cards(List<KnownNode> nodes, JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("gpus");
    for (int i = 0; i < nodes.size(); i++) {
      KnownNode node = nodes.get(i);
      if (node.gpuCards() > 0) {
        out.writeObjectFieldStart(String.valueOf(i));
        out.writeStringField("model", node.gpuModel());
        out.writeFieldName("freeMilli");
        out.writeArray(node.gpuFreeMilli(), 0, node.gpuFreeMilli().length);
        out.writeEndObject();
      }
    }
    out.writeEndObject();
  }

  /** Nodes of one make: the contract carries no label of a node pool. */
  private static String pool(KnownNode node) {
    if (node.cpuMilli() <= 0) {
      return "";
    }
    String size =
        "%d CPU, %d GiB"
            .formatted(Math.round(node.cpuMilli() / 1000.0), Math.round(node.memoryBytes() / GIB));
    return node.gpuCards() == 0
        ? size
        : size
            + ", "
            + node.gpuCards()
            + " x "
            + (node.gpuModel().isEmpty() ? "GPU" : node.gpuModel());
  }

  /** Names of the groups, and each node's by its place among them; -1 where it has none. */
  private static void group(
      JsonGenerator out, String kind, List<KnownNode> nodes, Function<KnownNode, String> of)
      throws IOException {
    Map<String, Integer> places = new LinkedHashMap<>();
    List<Integer> place = new ArrayList<>(nodes.size());
    for (KnownNode node : nodes) {
      String name = of.apply(node);
      place.add(name.isEmpty() ? -1 : places.computeIfAbsent(name, n -> places.size()));
    }
    out.writeArrayFieldStart(kind + "s");
    for (String name : places.keySet()) {
      out.writeString(name);
    }
    out.writeEndArray();
    out.writeArrayFieldStart(kind);
    for (int p : place) {
      out.writeNumber(p);
    }
    out.writeEndArray();
  }
}
