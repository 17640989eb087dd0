package dev.berth.service.operator;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * On which pods Berth decides, as a ConfigMap tells the schedulers. {@code pkg/mode} of the plugin
 * reads the same; {@code api/examples/modes.json} holds the two together.
 *
 * @param mode active, canary, shadow or off
 * @param percent of the owners that a canary acts on
 * @param namespaces whose owners are all in the canary
 * @param selector keeps other pods out of the canary; empty keeps out none
 * @param maxPriority keeps pods of a higher priority out; null keeps out none
 * @param clip most that the learned correction may be, in node usage; null leaves it to the service
 */
public record ModeSetting(
    String mode,
    @Nullable Integer percent,
    List<String> namespaces,
    String selector,
    @Nullable Integer maxPriority,
    @Nullable BigDecimal clip) {

  /** As the schedulers have it: every pod is held against these. */
  private static final int MAX_SELECTOR = 1024;

  private static final int MAX_NAMESPACES = 1000;

  /** Of a clip: a number of few characters may have a thousand million of them. */
  private static final int MAX_DECIMALS = 9;

  private static final List<String> MODES = List.of("active", "canary", "shadow", "off");
  private static final Set<String> KEYS =
      new java.util.LinkedHashSet<>(
          List.of(
              "mode",
              "percent",
              "namespaces",
              "selector",
              "max-priority",
              "clip",
              ModeLog.BY,
              ModeLog.AT,
              ModeLog.LOG));
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final String PART = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
  private static final String NAME =
      "((?![^/]*(\\.[.-]|-\\.)[^/]*/)[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?" + PART;
  private static final Pattern VALUE = Pattern.compile("(" + PART + ")?");
  private static final Pattern REQUIREMENT =
      Pattern.compile(
          "!?\\s*%1$s|%1$s\\s*(=|==|!=)\\s*%2$s|%1$s\\s+(in|notin)\\s*\\((?<values>[^()]*)\\)"
              .formatted(NAME, VALUE));

  /** Between requirements, not between the values of one. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  public ModeSetting {
    namespaces = List.copyOf(namespaces);
    check(MODES.contains(mode), "mode", mode, "want active, canary, shadow or off");
    if (!mode.equals("canary")) {
      canaryOnly(mode, "percent", percent);
      canaryOnly(mode, "namespaces", namespaces.isEmpty() ? null : String.join(",", namespaces));
      canaryOnly(mode, "selector", selector.isEmpty() ? null : selector);
      canaryOnly(mode, "max-priority", maxPriority);
    } else if (percent == null && namespaces.isEmpty()) {
      throw new IllegalArgumentException(
          "mode is canary, and neither percent nor namespaces says of whom: 'berth mode canary 5%'"
              + " acts for 5 % of the owners");
    }
    check(
        percent == null || (percent >= 0 && percent <= 100),
        "percent",
        percent,
        "want a whole number from 0 to 100");
    for (String name : namespaces) {
      check(NAMESPACE.matcher(name).matches(), "namespace", name, "that is no namespace's name");
    }
    check(
        namespaces.size() <= MAX_NAMESPACES,
        "number of namespaces",
        namespaces.size(),
        "want at most " + MAX_NAMESPACES + ", or a percentage");
    check(
        selector.length() <= MAX_SELECTOR,
        "length of the selector",
        selector.length(),
        "want at most " + MAX_SELECTOR);
    check(
        selector.isEmpty() || selects(selector),
        "selector",
        selector,
        "want one as kubectl takes it, such as tier=batch,team in (a,b)");
    check(
        clip == null
            || (clip.signum() >= 0
                && clip.compareTo(BigDecimal.ONE) <= 0
                && clip.scale() <= MAX_DECIMALS),
        "clip",
        clip,
        "want a share of a node's usage from 0 to 1, of %d decimals at most; 0 is the base alone"
            .formatted(MAX_DECIMALS));
  }

  /** One requirement at a time: of one pattern for all, a long list overflows the stack. */
  private static boolean selects(String selector) {
    for (String requirement : COMMA.split(selector, -1)) {
      Matcher matcher = REQUIREMENT.matcher(requirement.strip());
      if (!matcher.matches()) {
        return false;
      }
      String values = matcher.group("values");
      if (values != null
          && !Arrays.stream(values.split(",", -1))
              .allMatch(value -> VALUE.matcher(value.strip()).matches())) {
        return false;
      }
    }
    return true;
  }

  private static void canaryOnly(String mode, String key, @Nullable Object value) {
    check(
        value == null,
        key,
        value,
        "want none, for mode is "
            + mode
            + " and only a canary chooses pods: leave it out, or make it a canary");
  }

  private static void check(boolean right, String key, @Nullable Object value, String want) {
    if (!right) {
      throw new IllegalArgumentException("%s is \"%s\": %s".formatted(key, value, want));
    }
  }

  /**
   * Reads the data of the ConfigMap.
   *
   * @throws IllegalArgumentException with the key, its value and what would be right
   */
  public static ModeSetting of(Map<String, String> data) {
    for (String key : data.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "key \"%s\" is unknown: use %s".formatted(key, String.join(", ", KEYS)));
      }
    }
    List<String> namespaces = new ArrayList<>();
    for (String name : text(data, "namespaces").split("[,\\s]+", -1)) {
      if (!name.isEmpty()) {
        namespaces.add(name);
      }
    }
    String mode = text(data, "mode");
    return new ModeSetting(
        mode,
        whole(data, "percent", "want a whole number from 0 to 100"),
        namespaces,
        text(data, "selector"),
        whole(data, "max-priority", "want a pod priority such as 1000"),
        decimal(data, "clip"));
  }

  private static String text(Map<String, String> data, String key) {
    return data.getOrDefault(key, "").strip();
  }

  private static @Nullable Integer whole(Map<String, String> data, String key, String want) {
    String text = text(data, key);
    try {
      return text.isEmpty() ? null : Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s is \"%s\": %s".formatted(key, text, want), e);
    }
  }

  private static @Nullable BigDecimal decimal(Map<String, String> data, String key) {
    String text = text(data, key);
    try {
      return text.isEmpty() ? null : new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\": want a number from 0 to 1".formatted(key, text), e);
    }
  }

  /** The data of a ConfigMap that says this. */
  public Map<String, String> data() {
    Map<String, String> data = new TreeMap<>();
    data.put("mode", mode);
    if (percent != null) {
      data.put("percent", percent.toString());
    }
    if (!namespaces.isEmpty()) {
      data.put("namespaces", String.join(",", namespaces));
    }
    if (!selector.isEmpty()) {
      data.put("selector", selector);
    }
    if (maxPriority != null) {
      data.put("max-priority", maxPriority.toString());
    }
    if (clip != null) {
      data.put("clip", clip.toPlainString());
    }
    return data;
  }

  public ModeSetting withClip(@Nullable BigDecimal other) {
    return new ModeSetting(mode, percent, namespaces, selector, maxPriority, other);
  }

  /** In a sentence, as the scheduler's log has it. */
  @Override
  public String toString() {
    StringBuilder b = new StringBuilder(mode);
    if (mode.equals("canary")) {
      b.append(": ").append(percent == null ? 0 : percent).append(" % of the owners");
      if (!namespaces.isEmpty()) {
        b.append(" and all of namespaces ").append(String.join(", ", namespaces));
      }
      if (!selector.isEmpty()) {
        b.append("; only pods with ").append(selector);
      }
      if (maxPriority != null) {
        b.append("; only priorities up to ").append(maxPriority);
      }
    }
    if (clip != null) {
      b.append("; clip at most ").append(clip.toPlainString());
    }
    return b.toString();
  }
}
