package dev.berth.policy.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One YAML mapping, read strictly: every key asked for is remembered, {@link #finish} refuses the
 * rest. A key without a value is as good as absent. Works on SnakeYAML's node tree because only
 * that keeps the line of every value.
 *
 * <p>Thread rule: one thread.
 */
public final class StrictYaml {
  private final String source;
  private final int line;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  private record Entry(int line, Node value) {}

  /**
   * Reads a text that holds one mapping; empty when it holds nothing at all.
   *
   * @param source named in errors, such as the file
   * @throws TextException with source, line and fix when it is not YAML
   */
  public static Optional<StrictYaml> parse(byte[] utf8, String source) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      Node root = new Yaml(new LoaderOptions()).compose(new java.io.StringReader(text));
      return root == null || empty(root)
          ? Optional.empty()
          : Optional.of(new StrictYaml(source, root));
    } catch (CharacterCodingException e) {
      throw new TextException(source, 0, "", "not UTF-8: save it as UTF-8", e);
    } catch (YAMLException e) {
      throw new TextException(source, line(e), "", "not YAML: " + what(e), e);
    }
  }

  /** What is wrong with a text that is not YAML, in a line of a person's language. */
  public static String problem(YAMLException e) {
    return line(e) == 0 ? what(e) : "line " + line(e) + ": " + what(e);
  }

  private static int line(YAMLException e) {
    return e instanceof MarkedYAMLException marked && marked.getProblemMark() != null
        ? marked.getProblemMark().getLine() + 1
        : 0;
  }

  /** Other than marked: too deep, too long, or characters that no text has. */
  private static String what(YAMLException e) {
    return e instanceof MarkedYAMLException marked
        ? marked.getProblem()
        : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private StrictYaml(String source, Node node) {
    this.source = source;
    this.line = lineOf(node);
    if (!(node instanceof MappingNode mapping)) {
      throw error(line, "", "need 'key: value' lines here");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      int at = lineOf(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw error(at, "", "a key must be a plain word");
      }
      Entry before = entries.put(key.getValue(), new Entry(at, tuple.getValueNode()));
      if (before != null) {
        String fix = "given twice, first in line " + before.line() + ": keep one";
        throw error(at, key.getValue(), fix);
      }
    }
  }

  private static int lineOf(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private static boolean empty(Node node) {
    return node instanceof ScalarNode && node.getTag().equals(Tag.NULL);
  }

  /** Every key of this mapping, in the order of the file; for mappings whose keys are free. */
  public List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** Where a key stands, or this mapping when it lacks the key. */
  public int line(String key) {
    Entry entry = entries.get(key);
    return entry == null ? line : entry.line();
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
  public <T> T checked(String key, Supplier<T> build) {
    try {
      return build.get();
    } catch (IllegalArgumentException e) {
      throw new TextException(source, line(key), key, String.valueOf(e.getMessage()), e);
    }
  }

  public boolean has(String key) {
    return find(key) != null;
  }

  private @Nullable Node find(String key) {
    known.add(key);
    Entry entry = entries.get(key);
    return entry == null || empty(entry.value()) ? null : entry.value();
  }

  public <T> T scalar(String key, T fallback, Function<String, T> parse) {
    Node node = find(key);
    return node == null ? fallback : parsed(key, node, parse);
  }

  public String text(String key, String fallback) {
    return scalar(key, fallback, s -> s);
  }

  /** A duration in seconds: {@code 90s}, {@code 40m}, {@code 3h}. */
  public double seconds(String key, double fallback) {
    return scalar(key, fallback, Units::seconds);
  }

  /** A share: {@code 5%} or {@code 0.05}. */
  public double share(String key, double fallback) {
    return scalar(key, fallback, Units::share);
  }

  public int whole(String key, int fallback) {
    return scalar(key, fallback, Units::whole);
  }

  public <E extends Enum<E>> E choice(String key, Class<E> type, @Nullable E fallback) {
    Node node = find(key);
    if (node != null) {
      return parsed(key, node, s -> Units.choice(type, s));
    }
    if (fallback == null) {
      throw error(line, key, "missing; one of " + Units.names(type));
    }
    return fallback;
  }

  /** A list, or one value standing for a list of one; empty only when absent. */
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
        throw error(line(key), key, "the list is empty");
      }
    }
    return out;
  }

  /** A list of mappings; absent is empty. */
  public List<StrictYaml> children(String key) {
    List<StrictYaml> out = new ArrayList<>();
    Node node = find(key);
    if (node != null) {
      if (!(node instanceof SequenceNode sequence)) {
        throw error(line(key), key, "need a list: start each entry with '- '");
      }
      sequence.getValue().forEach(item -> out.add(new StrictYaml(source, item)));
    }
    return out;
  }

  /** A nested mapping, or null when absent. */
  public @Nullable StrictYaml child(String key) {
    Node node = find(key);
    return node == null ? null : new StrictYaml(source, node);
  }

  public Map<String, String> strings(String key) {
    Map<String, String> out = new LinkedHashMap<>();
    StrictYaml child = child(key);
    if (child != null) {
      child.entries.forEach((k, e) -> out.put(k, child.parsed(k, e.value(), s -> s)));
    }
    return out;
  }

  public TextException missing(String key, String example) {
    return error(line, key, "missing: add for example '" + example + "'");
  }

  /** A mistake at a key that only the reader of the mapping can see. */
  public TextException error(String key, String what) {
    return error(line(key), key, what);
  }

  private <T> T parsed(String key, Node node, Function<String, T> parse) {
    if (!(node instanceof ScalarNode scalar)) {
      throw error(lineOf(node), key, "need a single value here");
    }
    try {
      return parse.apply(scalar.getValue());
    } catch (IllegalArgumentException e) {
      throw new TextException(source, lineOf(node), key, String.valueOf(e.getMessage()), e);
    }
  }

  private TextException error(int at, String key, String what) {
    return new TextException(source, at, key, what, null);
  }
}
