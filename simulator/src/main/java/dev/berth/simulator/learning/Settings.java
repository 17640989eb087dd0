package dev.berth.simulator.learning;

import dev.berth.simulator.scenario.Scenario;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a training that goes on may not differ in from the one that was left, by the options' names.
 *
 * @param values as texts, by name
 */
record Settings(Map<String, String> values) {

  static Settings of(Training.Plan plan) {
    Map<String, String> values = new TreeMap<>();
    addAll(plan.config(), values);
    Lessons lessons = plan.lessons();
    values.put("warm-start", lessons.warmStart());
    values.put("warm-start-episodes", Integer.toString(lessons.imitated()));
    values.put("prefill", lessons.prefill());
    values.put("prefill-episodes", Integer.toString(lessons.watched()));
    // Of the decisions, which may become more: `--total-timesteps` is how a finished one goes on.
    double explored = plan.config().exploration().explorationDecisions();
    values.remove("exploration-decisions");
    values.put(
        "exploration-fraction",
        String.format(Locale.ROOT, "%.2f", explored / plan.totalTimesteps()));
    values.put("seed", Long.toString(plan.seed()));
    values.put(
        "scenario", plan.scenarios().stream().map(Scenario::name).collect(Collectors.joining(",")));
    return new Settings(values);
  }

  private static void addAll(Record part, Map<String, String> values) {
    for (RecordComponent each : part.getClass().getRecordComponents()) {
      try {
        if (each.getAccessor().invoke(part) instanceof Record within) {
          addAll(within, values);
        } else {
          String option = each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
          values.put(option, String.valueOf(each.getAccessor().invoke(part)));
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a public record does not say its " + each.getName(), e);
      }
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(values.size());
    for (Map.Entry<String, String> each : values.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeUTF(each.getValue());
    }
  }

  static Settings read(DataInput in) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.put(in.readUTF(), in.readUTF());
    }
    return new Settings(values);
  }

  /** Where these differ from others, in words; empty where nowhere. */
  String against(Settings others) {
    return values.entrySet().stream()
        .filter(each -> !each.getValue().equals(others.values.get(each.getKey())))
        .map(
            each ->
                "%s %s, not %s"
                    .formatted(each.getKey(), each.getValue(), others.values.get(each.getKey())))
        .collect(Collectors.joining("; "));
  }
}
