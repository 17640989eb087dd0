package dev.berth.service.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.policy.file.NearestName;
import dev.berth.policy.text.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plugin's arguments as the scheduler takes them: keys and limits of {@code
 * scheduler-plugin-go/pkg/apis/config}. A test reads both there.
 */
final class PluginArguments {
  /** What the value of a key may be. */
  enum Kind {
    TEXT,
    TEXTS,
    WHOLE,
    DURATION
  }

  /**
   * @param least of whole numbers; of durations nanoseconds, as {@code most}
   */
  record Rule(Kind kind, long least, long most) {
    /** What would be right instead; null where it is. */
    @Nullable String wanted(JsonNode value) {
      boolean right =
          switch (kind) {
            case TEXT -> value.isTextual();
            case TEXTS -> value.isArray();
            case WHOLE -> value.isIntegralNumber() && within(value.asLong());
            case DURATION -> value.isTextual() && within(nanos(value.asText()));
          };
      return right ? null : wanted();
    }

    private boolean within(long value) {
      return value >= least && value <= most;
    }

    private String wanted() {
      return switch (kind) {
        case TEXT -> "a text";
        case TEXTS -> "a list of texts";
        case WHOLE -> "a whole number, " + least + " to " + most;
        case DURATION ->
            (least == 1 ? "more than 0 and" : "at least " + shown(least) + " and")
                + (" at most " + shown(most));
      };
    }

    private static String shown(long nanos) {
      return Units.show(Duration.ofNanos(nanos));
    }
  }

  private static final Rule TEXT = new Rule(Kind.TEXT, 0, 0);
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind");

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns",
          1L,
          "us",
          1_000L,
          "µs",
          1_000L,
          "μs",
          1_000L,
          "ms",
          1_000_000L,
          "s",
          1_000_000_000L,
          "m",
          60_000_000_000L,
          "h",
          3_600_000_000_000L);

  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

  /** By their path, such as {@code canary.percent}. */
  static final Map<String, Rule> RULES = new LinkedHashMap<>();

  static {
    texts("url", "tokenFile", "caFile", "mode", "modeConfigMap", "zoneLabel", "rackLabel");
    texts("gpu.countKey", "gpu.milliKey", "gpu.modelKey", "gpu.cardsKey");
    RULES.put("canary.namespaces", new Rule(Kind.TEXTS, 0, 0));
    whole("maxReplyBytes", 1024, 64 << 20);
    whole("podEventsPerSecond", 0, 10);
    whole("waitPercent", 1, 100);
    whole("shadowQuestionsPerSecond", 1, 10_000);
    whole("canary.percent", 0, 100);
    whole("breaker.window", 1, 1000);
    whole("breaker.failurePercent", 1, 100);
    whole("outcomes.queueSize", 1, 100_000);
    whole("outcomes.batchSize", 1, 5_000);
    lasting("timeout", "1ns", "1s");
    lasting("pendingWindow", "1ns", "1h");
    lasting("breaker.openFor", "1ns", "5m");
    lasting("outcomes.flushInterval", "1ms", "1m");
    lasting("outcomes.timeout", "1ns", "1m");
    lasting("outcomes.resyncInterval", "1m", "24h");
  }

  private PluginArguments() {}

  private static void texts(String... keys) {
    for (String key : keys) {
      RULES.put(key, TEXT);
    }
  }

  private static void whole(String key, long least, long most) {
    RULES.put(key, new Rule(Kind.WHOLE, least, most));
  }

  private static void lasting(String key, String least, String most) {
    RULES.put(key, new Rule(Kind.DURATION, nanos(least), nanos(most)));
  }

  /** A duration as Go writes it, such as {@code 1m30s}; negative where it is none. */
  static long nanos(String text) {
    Matcher part = PART.matcher(text);
    double sum = 0;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      sum += Double.parseDouble(part.group(1)) * NANOS.getOrDefault(part.group(2), 0L);
      end = part.end();
    }
    return end == 0 || end < text.length() ? -1 : (long) sum;
  }

  /**
   * What the scheduler refuses.
   *
   * @param refused is told what is wrong, and what would be right
   */
  static void check(JsonNode args, BiConsumer<String, String> refused) {
    check(args, "", refused);
  }

  private static void check(JsonNode args, String path, BiConsumer<String, String> refused) {
    Set<String> known =
        RULES.keySet().stream()
            .filter(key -> key.startsWith(path))
            .map(key -> key.substring(path.length()).replaceFirst("\\..*", ""))
            .collect(Collectors.toSet());
    args.fields()
        .forEachRemaining(
            e -> {
              String key = path + e.getKey();
              JsonNode value = e.getValue();
              Rule rule = RULES.get(key);
              if (!known.contains(e.getKey())) {
                if (!path.isEmpty() || !OF_EVERY_OBJECT.contains(e.getKey())) {
                  refused.accept(
                      "there is no argument "
                          + key
                          + NearestName.suggestion(e.getKey(), known.stream().sorted().toList()),
                      "write one of " + String.join(", ", known.stream().sorted().toList()));
                }
              } else if (rule == null) {
                section(value, key, refused);
              } else if (!value.isNull()) {
                String wanted = rule.wanted(value);
                if (wanted != null) {
                  refused.accept(key + " is " + value, "write " + wanted);
                }
              }
            });
  }

  private static void section(JsonNode value, String key, BiConsumer<String, String> refused) {
    if (value.isObject()) {
      check(value, key + ".", refused);
    } else if (!value.isNull()) {
      List<String> keys = RULES.keySet().stream().filter(k -> k.startsWith(key + ".")).toList();
      refused.accept(key + " is " + value, "write " + String.join(", ", keys) + " as its keys");
    }
  }
}
