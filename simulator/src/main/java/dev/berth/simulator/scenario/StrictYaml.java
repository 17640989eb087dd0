package dev.berth.simulator.scenario;

import dev.berth.simulator.usage.Range;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One YAML mapping, read strictly: every key asked for is remembered, {@link #finish} refuses the
 * rest. Works on SnakeYAML's node tree because only that keeps the line of every value.
 */
public final class StrictYaml {
  private final Path file;
  private final int line;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  private record Entry(int line, Node value) {}

  /**
   * Reads a file that holds one mapping.
   *
   * @param documentation page that describes the keys, named when the file is empty
   * @throws ScenarioException with file, line and fix when it is not YAML
   */
  public static StrictYaml read(Path file, String documentation) throws IOException {
    Node root;
    try (Reader reader = Files.newBufferedReader(file)) {
      root = new Yaml(new LoaderOptions()).compose(reader);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw new ScenarioException(file + ":" + line + ": not YAML: " + e.getProblem(), e);
    }
    if (root == null) {
      throw new ScenarioException(file + ":1: the file is empty: see " + documentation);
    }
    return new StrictYaml(file, root);
  }

  StrictYaml(Path file, Node node) {
    this.file = file;
    this.line = node.getStartMark().getLine() + 1;
    if (!(node instanceof MappingNode mapping)) {
      throw error(line, "", "need 'key: value' lines here");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      int at = tuple.getKeyNode().getStartMark().getLine() + 1;
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw error(at, "", "a key must be a plain word");
      }
      if (entries.put(key.getValue(), new Entry(at, tuple.getValueNode())) != null) {
        throw error(at, key.getValue(), "given twice: keep one");
      }
    }
  }

  /** Every key of this mapping, in the order of the file; for mappings whose keys are free. */
  public List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** Refuses keys that nobody asked for. */
  public void finish() {
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            throw error(entry.line(), key, "unknown key; known here: " + String.join(", ", known));
          }
        });
  }

  /** Runs {@code build}, turning what a record's constructor refuses into an error at this line. */
  <T> T checked(String key, java.util.function.Supplier<T> build) {
    try {
      return build.get();
    } catch (IllegalArgumentException e) {
      throw new ScenarioException(prefix(lineOf(key), key) + e.getMessage(), e);
    }
  }

  public boolean has(String key) {
    return find(key) != null;
  }

  private @Nullable Node find(String key) {
    known.add(key);
    Entry entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  private int lineOf(String key) {
    Entry entry = entries.get(key);
    return entry == null ? line : entry.line();
  }

  public <T> T scalar(String key, T fallback, Function<String, T> parse) {
    Node node = find(key);
    return node == null ? fallback : parsed(key, node, parse);
  }

  public String text(String key, String fallback) {
    return scalar(key, fallback, s -> s);
  }

  /** A duration in seconds: {@code 90s}, {@code 40m}, {@code 3h}. */
  double seconds(String key, double fallback) {
    return scalar(key, fallback, Units::seconds);
  }

  /** A share: {@code 5%} or {@code 0.05}. */
  double share(String key, double fallback) {
    return scalar(key, fallback, Units::share);
  }

  public int whole(String key, int fallback) {
    return scalar(key, fallback, Units::whole);
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, @Nullable E fallback) {
    Node node = find(key);
    if (node != null) {
      return parsed(key, node, s -> Units.choice(type, s));
    }
    if (fallback == null) {
      throw error(line, key, "missing; one of " + Units.names(type));
    }
    return fallback;
  }

  /** {@code [0.2, 1.2]}, or one number for a constant. */
  Range range(String key, Range fallback) {
    if (!has(key)) {
      return fallback;
    }
    List<Double> ends = list(key, Units::number);
    if (ends.size() > 2) {
      throw error(lineOf(key), key, "need [min, max] or one number");
    }
    return checked(key, () -> new Range(ends.get(0), ends.get(ends.size() - 1)));
  }

  /** A list, or one value standing for a list of one. */
  public <T> List<T> list(String key, Function<String, T> parse) {
    List<T> out = new ArrayList<>();
    Node node = find(key);
    if (node != null) {
      if (node instanceof SequenceNode sequence) {
        sequence.getValue().forEach(item -> out.add(parsed(key, item, parse)));
      } else {
        out.add(parsed(key, node, parse));
      }
      if (out.isEmpty()) {
        throw error(lineOf(key), key, "the list is empty");
      }
    }
    return out;
  }

  /** A list of mappings; absent is empty. */
  List<StrictYaml> children(String key) {
    List<StrictYaml> out = new ArrayList<>();
    Node node = find(key);
    if (node != null) {
      if (!(node instanceof SequenceNode sequence)) {
        throw error(lineOf(key), key, "need a list: start each entry with '- '");
      }
      sequence.getValue().forEach(item -> out.add(new StrictYaml(file, item)));
    }
    return out;
  }

  /** A nested mapping, or null when absent. */
  public @Nullable StrictYaml child(String key) {
    Node node = find(key);
    return node == null ? null : new StrictYaml(file, node);
  }

  public Map<String, String> strings(String key) {
    Map<String, String> out = new LinkedHashMap<>();
    StrictYaml child = child(key);
    if (child != null) {
      child.entries.forEach((k, e) -> out.put(k, child.parsed(k, e.value(), s -> s)));
    }
    return out;
  }

  public ScenarioException missing(String key, String example) {
    return error(line, key, "missing: add for example '" + example + "'");
  }

  private <T> T parsed(String key, Node node, Function<String, T> parse) {
    int at = node.getStartMark().getLine() + 1;
    if (!(node instanceof ScalarNode scalar)) {
      throw error(at, key, "need a single value here");
    }
    try {
      return parse.apply(scalar.getValue());
    } catch (IllegalArgumentException e) {
      throw new ScenarioException(prefix(at, key) + e.getMessage(), e);
    }
  }

  private ScenarioException error(int at, String key, String what) {
    return new ScenarioException(prefix(at, key) + what);
  }

  private String prefix(int at, String key) {
    return file + ":" + at + ": " + (key.isEmpty() ? "" : key + ": ");
  }
}
