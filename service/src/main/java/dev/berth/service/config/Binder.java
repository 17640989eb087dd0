package dev.berth.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.policy.file.NearestName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
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
  private final Map<String, String> environment;
  private final List<String> mistakes = new ArrayList<>();

  Binder(Map<String, String> environment) {
    this.environment = environment;
  }

  List<String> mistakes() {
    return mistakes;
  }

  /** Returns {@code defaults} with every value that the tree or the environment names replaced. */
  <T extends Record> T bind(T defaults, @Nullable JsonNode tree, String path) {
    if (tree != null && !tree.isObject() && !tree.isNull()) {
      mistakes.add(path + " must be a section with keys of its own, got " + tree);
      tree = null;
    }
    RecordComponent[] components = defaults.getClass().getRecordComponents();
    if (tree != null) {
      refuseUnknown(components, tree, path);
    }
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String key = join(path, key(components[i]));
      JsonNode node = tree == null ? null : tree.get(key(components[i]));
      values[i] = value(read(components[i], defaults), node, key);
    }
    return construct(defaults, values, path);
  }

  private Object value(Object fallback, @Nullable JsonNode node, String key) {
    if (fallback instanceof Record section && !(fallback instanceof DataSize)) {
      return bind(section, node, key);
    }
    String variable = variable(key);
    String text = environment.get(variable);
    try {
      if (text != null) {
        return convert(fallback, text);
      }
      if (node == null || node.isNull()) {
        return fallback;
      }
      if (fallback instanceof List && node.isArray()) {
        List<String> list = new ArrayList<>();
        node.forEach(item -> list.add(item.asText()));
        return List.copyOf(list);
      }
      if (node.isContainerNode()) {
        throw new IllegalArgumentException("must be one value");
      }
      return convert(fallback, node.asText());
    } catch (IllegalArgumentException e) {
      String where = text == null ? key : key + " (from " + variable + ")";
      mistakes.add(where + " " + e.getMessage() + ", got " + (text == null ? node : text));
      return fallback;
    }
  }

  private static Object convert(Object fallback, String text) {
    if (fallback instanceof String) {
      return text;
    } else if (fallback instanceof Integer) {
      return (int) number(text, Integer.MIN_VALUE, Integer.MAX_VALUE, "a whole number");
    } else if (fallback instanceof Long) {
      return (long) number(text, -0x1p53, 0x1p53, "a whole number");
    } else if (fallback instanceof Double) {
      return number(text, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, "a number");
    } else if (fallback instanceof Boolean) {
      if (!text.equals("true") && !text.equals("false")) {
        throw new IllegalArgumentException("must be true or false");
      }
      return text.equals("true");
    } else if (fallback instanceof Duration) {
      return Units.duration(text);
    } else if (fallback instanceof DataSize) {
      return Units.size(text);
    } else if (fallback instanceof List) {
      return text.isBlank() ? List.of() : Arrays.stream(text.split(",")).map(String::trim).toList();
    }
    throw new IllegalStateException("no conversion to " + fallback.getClass());
  }

  private static double number(String text, double min, double max, String kind) {
    try {
      double value = Double.parseDouble(text);
      if (value < min || value > max || (kind.contains("whole") && value != Math.rint(value))) {
        throw new NumberFormatException();
      }
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be " + kind, e);
    }
  }

  private <T extends Record> T construct(T defaults, Object[] values, String path) {
    try {
      RecordComponent[] components = defaults.getClass().getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @SuppressWarnings("unchecked")
      T bound = (T) defaults.getClass().getDeclaredConstructor(types).newInstance(values);
      return bound;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        mistakes.add(join(path, String.valueOf(wrong.getMessage())));
        return defaults;
      }
      throw new IllegalStateException("cannot make " + defaults.getClass(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + defaults.getClass(), e);
    }
  }

  private void refuseUnknown(RecordComponent[] components, JsonNode tree, String path) {
    List<String> known = Arrays.stream(components).map(Binder::key).toList();
    for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        String where = path.isEmpty() ? "" : " in " + path;
        mistakes.add(
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

  /** Every leaf key below a record, with its default value and documentation, in order. */
  static Map<String, Leaf> leaves(Record defaults, String path) {
    Map<String, Leaf> leaves = new LinkedHashMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      String key = join(path, key(component));
      Object value = read(component, defaults);
      if (value instanceof Record section && !(value instanceof DataSize)) {
        leaves.putAll(leaves(section, key));
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
    return path.isEmpty() ? key : path + "." + key;
  }
}
