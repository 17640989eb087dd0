package dev.berth.policy.agent;

import dev.berth.policy.reward.Rewards;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hyper-parameters as readable lines, {@code name=value}, so that a model file explains itself. */
final class Settings {
  private static final String USAGE = Rewards.USAGE.toString();

  private Settings() {}

  static String write(AgentConfig config) {
    List<String> lines = new ArrayList<>();
    try {
      for (RecordComponent c : AgentConfig.class.getRecordComponents()) {
        lines.add(c.getName() + "=" + text(c.getAccessor().invoke(config)));
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("every component of a record has a public accessor", e);
    }
    return String.join("\n", lines);
  }

  static String text(Object value) {
    return String.valueOf(value).replaceAll("[\\[\\] ]", "");
  }

  /**
   * @throws IllegalArgumentException naming the setting that is missing or wrong
   */
  static AgentConfig read(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    RecordComponent[] components = AgentConfig.class.getRecordComponents();
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String name = components[i].getName();
      // Files of the time when there was one reward have no such line.
      String value = values.getOrDefault(name, name.equals("rewards") ? USAGE : null);
      if (value == null) {
        throw new IllegalArgumentException("the settings lack '" + name + "'");
      }
      arguments[i] = parse(name, components[i].getType(), value);
    }
    try {
      return AgentConfig.class
          .getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
          .newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(String.valueOf(e.getTargetException().getMessage()), e);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("a record has its canonical constructor", e);
    }
  }

  private static Object parse(String name, Class<?> type, String value) {
    try {
      if (type == int.class) {
        return Integer.parseInt(value);
      } else if (type == double.class) {
        return Double.parseDouble(value);
      } else if (type == boolean.class) {
        return Boolean.parseBoolean(value);
      } else if (type == Rewards.class) {
        return Rewards.parse(value);
      } else if (type.isEnum()) {
        return Arrays.stream(type.getEnumConstants())
            .filter(c -> c.toString().equals(value))
            .findFirst()
            .orElseThrow(IllegalArgumentException::new);
      }
      return value.isEmpty()
          ? List.of()
          : Arrays.stream(value.split(",", -1)).map(Integer::valueOf).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the setting " + name + "=" + value + " is not valid", e);
    }
  }
}
