package dev.berth.service.prometheus;

import dev.berth.policy.state.ClusterState;
import dev.berth.service.config.Queries;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an answer tells of nodes, kept by name while it is read: whoever has an exporter may give
 * its series any labels, and so make any number of them, none of which is held.
 */
final class NodeSeries extends SeriesReader {
  /** A name that is longer is none: Kubernetes allows 253 characters, a port has six. */
  static final int MOST_NAME = 259;

  private final NodeResolver resolver;
  private final Map<Key, Told> told = new HashMap<>();
  private @Nullable Series first;

  /**
   * @param name as the series has it; empty where none names a node
   */
  private record Key(String quantity, String name) {}

  /** All series of one name. */
  static final class Told {
    final String name;
    double largest = Double.NaN;
    int series;

    /** Those of them whose value cannot be. */
    int rejected;

    private Told(String name) {
      this.name = name;
    }

    private void add(double value) {
      series++;
      if (!Double.isFinite(value) || value < 0) {
        rejected++;
      } else {
        largest = Double.isNaN(largest) ? value : Math.max(largest, value);
      }
    }
  }

  /**
   * @param resolver knows which label names the node
   */
  NodeSeries(NodeResolver resolver) {
    this.resolver = resolver;
  }

  @Override
  boolean take(Series series) {
    first = first == null ? series : first;
    String name = resolver.named(series.labels());
    Key key =
        new Key(
            series.labels().getOrDefault(Queries.QUANTITY, ""),
            name == null || name.length() > MOST_NAME ? "" : name);
    Told known = told.get(key);
    if (known == null) {
      if (told.size() >= 2 * ClusterState.NODES_ADMITTED) { // two quantities
        return false;
      }
      known = new Told(key.name());
      told.put(key, known);
    }
    known.add(series.value());
    return true;
  }

  /** The first of all; null where there is none. */
  @Nullable Series first() {
    return first;
  }

  Collection<Told> told() {
    return told.values();
  }

  /** Of one quantity alone. */
  List<Told> told(String quantity) {
    return told.entrySet().stream()
        .filter(e -> e.getKey().quantity().equals(quantity))
        .map(Map.Entry::getValue)
        .toList();
  }
}
