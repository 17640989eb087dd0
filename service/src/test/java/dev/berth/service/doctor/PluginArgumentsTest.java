package dev.berth.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.doctor.PluginArguments.Kind;
import dev.berth.service.doctor.PluginArguments.Rule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The doctor's arguments are the plugin's: both are read from the Go source. */
class PluginArgumentsTest {
  private static final Path APIS =
      Path.of(System.getProperty("berth.root"), "scheduler-plugin-go/pkg/apis/config");

  private static final Pattern STRUCT = Pattern.compile("(?ms)^type (\\w+) struct \\{(.*?)^}");
  private static final Pattern FIELD =
      Pattern.compile("(?m)^\\t\\w+\\s+\\*?([\\w.\\[\\]]+)\\s+`json:\"(\\w+)");
  private static final Pattern CONSTANT = Pattern.compile("(?m)^\\t(m\\w+)\\s+= (.*)$");
  private static final Pattern LIMIT =
      Pattern.compile(
          "(within|lasting)\\(.*?, ([\\w.]+), ([\\w.]+), (\\w+)\\.Child\\(\"(\\w+)\"\\)\\)");
  private static final Map<String, Long> GO_UNITS =
      Map.of(
          "time.Millisecond", 1_000_000L,
          "time.Second", 1_000_000_000L,
          "time.Minute", 60_000_000_000L,
          "time.Hour", 3_600_000_000_000L);

  @Test
  void theKeysAreThoseOfTheGoStructs() throws Exception {
    Map<String, String> structs = new TreeMap<>();
    Matcher struct = STRUCT.matcher(Files.readString(APIS.resolve("v1alpha1/types.go")));
    while (struct.find()) {
      structs.put(struct.group(1), struct.group(2));
    }
    Set<String> keys = new TreeSet<>();
    collect(structs, "BerthArgs", "", keys);
    assertThat(keys)
        .hasSizeGreaterThan(20)
        .isEqualTo(new TreeSet<>(PluginArguments.RULES.keySet()));
  }

  private static void collect(
      Map<String, String> structs, String struct, String path, Set<String> keys) {
    Matcher field = FIELD.matcher(structs.getOrDefault(struct, ""));
    while (field.find()) {
      if (structs.containsKey(field.group(1))) {
        collect(structs, field.group(1), path + field.group(2) + ".", keys);
      } else {
        keys.add(path + field.group(2));
      }
    }
  }

  @Test
  void theLimitsAreThoseOfTheGoValidation() throws Exception {
    String go = Files.readString(APIS.resolve("validation/validation.go"));
    Map<String, String> constants = new TreeMap<>();
    Matcher constant = CONSTANT.matcher(go);
    while (constant.find()) {
      constants.put(constant.group(1), constant.group(2).strip());
    }
    Map<String, Rule> limits = new TreeMap<>();
    Matcher limit = LIMIT.matcher(go);
    while (limit.find()) {
      String path = limit.group(4).equals("path") ? "" : limit.group(4) + ".";
      limits.put(
          path + limit.group(5),
          new Rule(
              limit.group(1).equals("within") ? Kind.WHOLE : Kind.DURATION,
              number(limit.group(2), constants),
              number(limit.group(3), constants)));
    }
    Map<String, Rule> ours = new TreeMap<>(PluginArguments.RULES);
    ours.values().removeIf(rule -> rule.kind() == Kind.TEXT || rule.kind() == Kind.TEXTS);
    assertThat(limits).hasSizeGreaterThan(10).isEqualTo(ours);
  }

  /** Such as {@code 5 * time.Minute}, {@code 64 << 20} or a constant's name. */
  private static long number(String go, Map<String, String> constants) {
    String text = constants.getOrDefault(go, go);
    String[] shifted = text.split(" << ");
    if (shifted.length == 2) {
      return Long.parseLong(shifted[0]) << Long.parseLong(shifted[1]);
    }
    long product = 1;
    for (String factor : text.split(" \\* ")) {
      Long unit = GO_UNITS.get(factor);
      product *= unit == null ? Long.parseLong(factor.replace("_", "")) : unit;
    }
    return product;
  }

  @Test
  void durationsAreReadAsGoReadsThem() {
    assertThat(PluginArguments.nanos("1m30s")).isEqualTo(90_000_000_000L);
    assertThat(PluginArguments.nanos("1.5ms")).isEqualTo(1_500_000);
    assertThat(PluginArguments.nanos("250µs")).isEqualTo(250_000);
    for (String none : new String[] {"", "5", "7d", "1s x", "-1s", "s"}) {
      assertThat(PluginArguments.nanos(none)).as(none).isNegative();
    }
  }
}
