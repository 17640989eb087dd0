package dev.berth.policy.agent;

import dev.berth.policy.file.NearestName;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.reward.Rewards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Parameters as readable lines, {@code name=value}, so that a model file explains itself. */
final class ParameterText {
  private static final Map<String, Line> LINES = new LinkedHashMap<>();

  private record Line(Function<Parameters, Object> get, BiConsumer<Parameters, String> set) {}

  static {
    line("kind", p -> p.kind, (p, v) -> p.kind = one(AgentKind.values(), v));
    line("objective", p -> p.objective, (p, v) -> p.objective = one(Objective.values(), v));
    line("rewards", p -> p.rewards, (p, v) -> p.rewards = Rewards.parse(v));
    line("credit", p -> p.credit, (p, v) -> p.credit = one(Credit.values(), v));
    line("context", p -> p.context, (p, v) -> p.context = truth(v));
    line("residual", p -> p.residual, (p, v) -> p.residual = truth(v));
    line("clip", p -> p.clip, (p, v) -> p.clip = real(v));
    line("hidden", p -> p.hidden, (p, v) -> p.hidden = widths(v));
    line("learningRate", p -> p.learningRate, (p, v) -> p.learningRate = real(v));
    line("bufferSize", p -> p.bufferSize, (p, v) -> p.bufferSize = whole(v));
    line("gamma", p -> p.gamma, (p, v) -> p.gamma = real(v));
    line("nStep", p -> p.nStep, (p, v) -> p.nStep = whole(v));
    line("tau", p -> p.tau, (p, v) -> p.tau = real(v));
    line(
        "targetNetworkFrequency",
        p -> p.targetNetworkFrequency,
        (p, v) -> p.targetNetworkFrequency = whole(v));
    line("batchSize", p -> p.batchSize, (p, v) -> p.batchSize = whole(v));
    line("width", p -> p.width, (p, v) -> p.width = whole(v));
    line("startE", p -> p.startE, (p, v) -> p.startE = real(v));
    line("endE", p -> p.endE, (p, v) -> p.endE = real(v));
    line(
        "explorationDecisions",
        p -> p.explorationDecisions,
        (p, v) -> p.explorationDecisions = whole(v));
    line("learningStarts", p -> p.learningStarts, (p, v) -> p.learningStarts = whole(v));
    line("trainFrequency", p -> p.trainFrequency, (p, v) -> p.trainFrequency = whole(v));
    line("maxGradNorm", p -> p.maxGradNorm, (p, v) -> p.maxGradNorm = real(v));
    line("temperature", p -> p.temperature, (p, v) -> p.temperature = real(v));
    line("entCoef", p -> p.entCoef, (p, v) -> p.entCoef = real(v));
    line("settleSeconds", p -> p.settleSeconds, (p, v) -> p.settleSeconds = real(v));
    line("windowSeconds", p -> p.windowSeconds, (p, v) -> p.windowSeconds = real(v));
  }

  private ParameterText() {}

  private static void line(
      String name, Function<Parameters, Object> get, BiConsumer<Parameters, String> set) {
    LINES.put(name, new Line(get, set));
  }

  static String write(Parameters parameters) {
    return LINES.entrySet().stream()
        .map(e -> e.getKey() + "=" + text(e.getValue().get().apply(parameters)))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Object value) {
    return String.valueOf(value).replaceAll("[\\[\\] ]", "");
  }

  /**
   * @throws IllegalArgumentException naming the parameter that is missing, unknown or wrong
   */
  static Parameters read(String text) {
    Parameters parameters = new Parameters(AgentKind.DQN);
    List<String> missing = new ArrayList<>(LINES.keySet());
    missing.remove("rewards"); // files of the time when there was one reward have no such line
    for (String line : text.lines().filter(l -> !l.isBlank()).toList()) {
      int equals = line.indexOf('=');
      String name = line.substring(0, Math.max(0, equals));
      Line known = LINES.get(name);
      if (known == null) {
        throw new IllegalArgumentException(
            "unknown parameter '"
                + line
                + "': the parameters are "
                + LINES.keySet()
                + NearestName.suggestion(name, LINES.keySet()));
      }
      try {
        known.set().accept(parameters, line.substring(equals + 1));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the parameter " + line + " is not valid: " + e.getMessage(), e);
      }
      missing.remove(name);
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("the parameters lack " + missing);
    }
    return parameters;
  }

  private static double real(String value) {
    return Double.parseDouble(value);
  }

  private static int whole(String value) {
    return Integer.parseInt(value);
  }

  private static boolean truth(String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException("it is true or false");
    }
    return value.equals("true");
  }

  private static List<Integer> widths(String value) {
    return value.isEmpty()
        ? List.of()
        : Arrays.stream(value.split(",", -1)).map(Integer::valueOf).toList();
  }

  private static <E extends Enum<E>> E one(E[] values, String value) {
    return Arrays.stream(values)
        .filter(e -> e.name().equals(value))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("it is one of " + Arrays.toString(values)));
  }
}
