package dev.berth.service.config;

import dev.berth.policy.file.NearestName;
import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Binds a YAML tree and environment variables onto the defaults of a record, strictly.
 *
 * <p>The environment wins over the file, the file over the defaults. Mistakes are collected, not
 * thrown one by one, so that a user mends a file in one go.
 */
final class Binder {
  /** Keys of former releases and what to do about them. */
  private static final Map<String, String> FORMER =
      Map.of(
          "store.books", "is called store.owner-checkpoint-interval now: rename it",
          "server.read-port",
              "is called server.port, and the scheduler's port server.scheduler-port now: rename"
                  + " it",
          "trainer.least-gain",
              "is gone, for newer weights serve only when they gain clearly: remove it");

  private final Map<String, String> environment;
  private final List<String> mistakes = new ArrayList<>();

  Binder(Map<String, String> environment) {
    this.environment = environment;
  }

  List<String> mistakes() {
    return mistakes;
  }

  /** Returns {@code defaults} with every value that the tree or the environment names replaced. */
  <T extends Record> T bind(T defaults, @Nullable StrictYaml tree, String path) {
    RecordComponent[] components = defaults.getClass().getRecordComponents();
    if (tree != null) {
      refuseUnknown(components, tree, path);
    }
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      Object fallback = read(components[i], defaults);
      String name = key(components[i]);
      values[i] =
          section(fallback)
              ? bind((Record) fallback, child(tree, name, path), join(path, name))
              : value(fallback, tree, name, join(path, name));
    }
    return construct(defaults, values, tree, path);
  }

  private static boolean section(Object value) {
    return value instanceof Record && !(value instanceof DataSize);
  }

  private @Nullable StrictYaml child(@Nullable StrictYaml tree, String name, String path) {
    try {
      return tree == null ? null : tree.child(name);
    } catch (TextException e) {
      mistake(e.line(), join(join(path, name), e.key()) + ": " + e.what());
      return null;
    }
  }

  private Object value(Object fallback, @Nullable StrictYaml tree, String name, String key) {
    String text = environment.get(variable(key));
    try {
      if (text != null) {
        return fallback instanceof List ? list(text) : convert(fallback, text);
      }
      if (tree == null) {
        return fallback;
      }
      if (fallback instanceof List) {
        List<String> given = tree.list(name, item -> item);
        return given.isEmpty() ? fallback : given;
      }
      return tree.scalar(name, fallback, given -> convert(fallback, given));
    } catch (TextException e) {
      mistake(e.line(), key + ": " + e.what());
    } catch (IllegalArgumentException e) {
      mistake(0, key + " (from " + variable(key) + "): " + e.getMessage());
    }
    return fallback;
  }

  private static List<String> list(String text) {
    return text.isBlank() ? List.of() : Arrays.stream(text.split(",")).map(String::trim).toList();
  }

  private static Object convert(Object fallback, String text) {
    if (fallback instanceof String) {
      return text;
    } else if (fallback instanceof Integer) {
      return Units.whole(text);
    } else if (fallback instanceof Long) {
      return Units.whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (fallback instanceof Double) {
      return Units.number(text);
    } else if (fallback instanceof Boolean) {
      return Units.truth(text);
    } else if (fallback instanceof Duration) {
      return Units.duration(text);
    } else if (fallback instanceof DataSize) {
      return new DataSize(Units.bytes(text));
    }
    throw new IllegalStateException("no conversion to " + fallback.getClass());
  }

  private <T extends Record> T construct(
      T defaults, Object[] values, @Nullable StrictYaml tree, String path) {
    try {
      RecordComponent[] components = defaults.getClass().getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @SuppressWarnings("unchecked")
      T bound = (T) defaults.getClass().getDeclaredConstructor(types).newInstance(values);
      return bound;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        String what = String.valueOf(wrong.getMessage()); // begins with the key
        int line = tree == null ? 0 : tree.line(what.substring(0, what.indexOf(' ') + 1).strip());
        mistake(line, join(path, what));
        return defaults;
      }
      throw new IllegalStateException("cannot make " + defaults.getClass(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + defaults.getClass(), e);
    }
  }

  private void refuseUnknown(RecordComponent[] components, StrictYaml tree, String path) {
    List<String> known = Arrays.stream(components).map(Binder::key).toList();
    for (String name : tree.keys()) {
      String now = FORMER.get(join(path, name));
      if (now != null) {
        mistake(tree.line(name), join(path, name) + " " + now);
      } else if (!known.contains(name)) {
        String where = path.isEmpty() ? "" : " in " + path;
        mistake(
            tree.line(name),
            "unknown key "
                + join(path, name)
                + ": the keys"
                + where
                + " are "
                + known
                + NearestName.suggestion(name, known));
      }
    }
  }

  /** A variable of a former release would be ignored like any other that names no key. */
  void refuseFormerVariables() {
    FORMER.forEach(
        (key, now) -> {
          if (environment.containsKey(variable(key))) {
            mistake(0, variable(key) + ": " + key + " " + now);
          }
        });
  }

  private void mistake(long line, String what) {
    mistakes.add((line > 0 ? "line " + line + ": " : "") + what);
  }

  /** Every leaf key below a record, with its default value and documentation, in order. */
  static Map<String, Leaf> leaves(Record defaults, String path) {
    Map<String, Leaf> leaves = new LinkedHashMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      String key = join(path, key(component));
      Object value = read(component, defaults);
      if (section(value)) {
        leaves.putAll(leaves((Record) value, key));
      } else {
        Doc doc = component.getAnnotation(Doc.class);
        leaves.put(key, new Leaf(value, doc == null ? "" : doc.value()));
      }
    }
    return leaves;
  }

  record Leaf(Object value, String doc) {
    String shown() {
      return value instanceof Duration d ? Units.show(d) : value.toString();
    }
  }

  static String variable(String key) {
    return "BERTH_" + key.toUpperCase(java.util.Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  static Object read(RecordComponent component, Record from) {
    try {
      return component.getAccessor().invoke(from);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }

  static String key(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
  }

  private static String join(String path, String key) {
    return path.isEmpty() || key.isEmpty() ? path + key : path + "." + key;
  }
}
