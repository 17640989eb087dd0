package dev.berth.service.prometheus;

import dev.berth.policy.state.ClusterState;
import dev.berth.service.config.NodeNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says which node a series belongs to: label, cut the port, regular expression, translation. Each
 * step is a key of the configuration. Immutable.
 */
final class NodeResolver {
  private static final Pattern PORT = Pattern.compile(":\\d+$");

  private final NodeNames config;
  private final @Nullable Pattern regex;
  private final Map<String, String> translation;
  private final Set<String> translated;

  private NodeResolver(NodeNames config, Map<String, String> translation) {
    this.config = config;
    this.regex = config.regex().isEmpty() ? null : Pattern.compile(config.regex());
    this.translation = translation;
    this.translated = Set.copyOf(translation.values());
  }

  static NodeResolver of(NodeNames config) {
    return new NodeResolver(config, Map.of());
  }

  /** Reads the answer to {@code nodes.query}. */
  final class Names extends SeriesReader {
    private final Map<String, String> byKey = new HashMap<>();

    @Override
    boolean take(Series series) {
      String key = series.labels().get(config.keyLabel());
      String name = series.labels().get(config.nameLabel());
      if (key == null || name == null) {
        return true;
      }
      if (byKey.size() >= ClusterState.NODES_ADMITTED && !byKey.containsKey(cutPort(key))) {
        return false;
      }
      byKey.put(cutPort(key), name);
      return true;
    }
  }

  Names names() {
    return new Names();
  }

  /** The same rules with a fresh translation. */
  NodeResolver translating(Names names) {
    return new NodeResolver(config, names.byKey);
  }

  /** What the series has in place of a node's name, or null when it has nothing. */
  @Nullable String named(Map<String, String> labels) {
    for (String label : config.labels()) {
      String value = labels.get(label);
      if (value != null && !value.isEmpty()) {
        return value;
      }
    }
    return null;
  }

  /** The node's name, or null when the series names none. */
  @Nullable String resolve(Map<String, String> labels) {
    String value = named(labels);
    return value == null ? null : resolve(value);
  }

  /** The same of what {@link #named} gives. */
  @Nullable String resolve(String value) {
    String name = cutPort(value);
    if (regex != null) {
      Matcher m = regex.matcher(name);
      if (!m.matches()) {
        return null;
      }
      name = m.replaceFirst(config.replacement());
    }
    return config.query().isEmpty() ? name : translation.getOrDefault(name, untranslated(name));
  }

  /** A series that already carries a node's name needs no translation; anything else has none. */
  private @Nullable String untranslated(String name) {
    return translated.contains(name) ? name : null;
  }

  private String cutPort(String value) {
    return config.stripPort() ? PORT.matcher(value).replaceFirst("") : value;
  }
}
