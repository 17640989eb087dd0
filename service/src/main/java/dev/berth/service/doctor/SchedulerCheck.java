package dev.berth.service.doctor;

import static dev.berth.service.doctor.Finding.error;
import static dev.berth.service.doctor.Finding.warning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.policy.text.StrictYaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A KubeSchedulerConfiguration: is Berth enabled wherever it has work, and does it outweigh the
 * others?
 */
final class SchedulerCheck {
  private static final String ABOUT = "scheduler profile";

  /** All score plugins of the default profile together; Berth should outweigh them. */
  private static final int OTHERS_WEIGHT = 12;

  private static final String MULTI_POINT =
      "in plugins: write 'multiPoint: {enabled: [{name: Berth, weight: 20}]}' as"
          + " scheduler-plugin-go/config/scheduler.yaml does";

  private static final Set<String> MODES = Set.of("active", "canary", "shadow", "off");

  private static final String URL = "args: {url: http://berth-service.berth-system.svc:8766}";

  private final List<Finding> findings = new ArrayList<>();
  private final String source;

  private SchedulerCheck(String source) {
    this.source = source;
  }

  /** Parses YAML without any type of ours; missing where it is none. */
  static JsonNode tree(String yaml) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false); // as the scheduler
    Object tree = new Yaml(new SafeConstructor(strict)).load(yaml);
    return tree == null ? MissingNode.getInstance() : new ObjectMapper().valueToTree(tree);
  }

  static List<Finding> of(String yaml, String source) {
    SchedulerCheck check = new SchedulerCheck(source);
    try {
      check.look(tree(yaml));
    } catch (YAMLException e) {
      check.findings.add(
          error(
              ABOUT,
              source + " is no YAML: " + StrictYaml.problem(e),
              "mend the line: scheduler-plugin-go/config/scheduler.yaml is one that works"));
    }
    return check.findings;
  }

  private void look(JsonNode configuration) {
    JsonNode berths = MissingNode.getInstance();
    for (JsonNode profile : configuration.path("profiles")) {
      if (profile.toString().contains("\"Berth\"")) {
        berths = profile;
        profile(profile);
      }
    }
    if (berths.isMissingNode()) {
      findings.add(error(ABOUT, source + " has no profile with Berth", MULTI_POINT));
      return;
    }
    if (configuration.path("clientConnection").path("qps").asDouble(50) <= 50) {
      findings.add(
          warning(
              ABOUT,
              source + " leaves clientConnection.qps at 50: binds wait for it in a burst",
              "write 'clientConnection: {qps: 100, burst: 200}'; the flags do not count beside"
                  + " --config"));
    }
  }

  private void profile(JsonNode profile) {
    String name = profile.path("schedulerName").asText("default-scheduler");
    JsonNode plugins = profile.path("plugins");
    boolean everywhere = enabled(plugins, "multiPoint");
    List<String> missing = new ArrayList<>();
    for (String point : List.of("preScore", "score", "reserve", "postBind")) {
      if (!enabled(plugins, point) && (!everywhere || disabled(plugins, point))) {
        missing.add(point);
      }
    }
    if (!missing.isEmpty()) {
      findings.add(
          error(
              ABOUT,
              "%s: profile %s does not enable Berth at %s%s"
                  .formatted(
                      source,
                      name,
                      String.join(", ", missing),
                      missing.contains("preScore") && !missing.contains("score")
                          ? ": Score alone finds no scores and is neutral"
                          : ""),
              MULTI_POINT));
    }
    weight(name, plugins);
    bind(name, plugins);
    arguments(name, profile);
  }

  private void weight(String name, JsonNode plugins) {
    int weight = weight(plugins.path(enabled(plugins, "score") ? "score" : "multiPoint"));
    if (weight <= OTHERS_WEIGHT && !disables(plugins.path("score"), "*")) {
      findings.add(
          warning(
              ABOUT,
              "%s: profile %s gives Berth weight %d, the other score plugins have %d together and outvote it"
                  .formatted(source, name, weight, OTHERS_WEIGHT),
              "give it 20: 'multiPoint: {enabled: [{name: Berth, weight: 20}]}'"));
    }
  }

  private static int weight(JsonNode set) {
    for (JsonNode plugin : set.path("enabled")) {
      if (plugin.path("name").asText().equals("Berth")) {
        return plugin.path("weight").asInt(1);
      }
    }
    return 0;
  }

  private void bind(String name, JsonNode plugins) {
    if (!plugins.at("/bind/enabled/0/name").asText().equals("Berth")) {
      findings.add(
          warning(
              ABOUT,
              "%s: Berth is not the first Bind plugin of profile %s: pods that ask for GPUs stay pending"
                  .formatted(source, name),
              "in plugins: add 'bind: {enabled: [{name: Berth}]}'"));
    }
  }

  private void arguments(String name, JsonNode profile) {
    for (JsonNode config : profile.path("pluginConfig")) {
      if (config.path("name").asText().equals("Berth")) {
        JsonNode args = config.path("args");
        url(name, args.path("url").asText());
        token(name, args.path("tokenFile").asText());
        mode(name, args.path("mode"));
        PluginArguments.check(
            args,
            (what, mend) -> {
              if (!what.startsWith("mode is ")) { // said better above
                stops("profile " + name + ": " + what, mend);
              }
            });
        return;
      }
    }
    stops(
        "profile " + name + " has no pluginConfig for Berth",
        "give it 'args: {url: http://berth-service.berth-system.svc:8766}'");
  }

  private void stops(String what, String mend) {
    findings.add(error(ABOUT, source + ": " + what + ": the scheduler does not start", mend));
  }

  private void url(String name, String url) {
    if (url.isEmpty()) {
      stops("profile " + name + " gives Berth no url", URL);
    } else if (url.matches("(?i)https?://.*@.*")) { // what stands before it may be a secret
      stops(
          "profile " + name + " has a user or password in its url: the token stands in tokenFile",
          URL);
    } else if (!url.matches("https?://[^/]+/*|unix://.+")) {
      stops("profile " + name + ": url is '" + url + "'", URL);
    } else if (url.endsWith(":8765")) {
      findings.add(
          error(
              ABOUT,
              source
                  + ": "
                  + url
                  + " is where people read; schedulers ask on server.scheduler-port",
              "end the url in :8766"));
    }
  }

  private void token(String name, String file) {
    if (file.isEmpty()) {
      findings.add(
          warning(
              ABOUT,
              source + ": profile " + name + " gives Berth no tokenFile: the service refuses it",
              "args: {tokenFile: /etc/berth/token}, where the Secret berth-token is mounted"));
    }
  }

  /** Unquoted, on and off are no text in YAML. */
  private void mode(String name, JsonNode mode) {
    if (!mode.isMissingNode() && !MODES.contains(mode.isTextual() ? mode.asText() : "")) {
      stops(
          "profile " + name + ": mode is " + mode,
          "write one of active, canary, shadow, \"off\", the last one in quotes");
    }
  }

  private static boolean enabled(JsonNode plugins, String point) {
    for (JsonNode plugin : plugins.path(point).path("enabled")) {
      if (plugin.path("name").asText().equals("Berth")) {
        return true;
      }
    }
    return false;
  }

  private static boolean disabled(JsonNode plugins, String point) {
    return disables(plugins.path(point), "Berth") || disables(plugins.path(point), "*");
  }

  private static boolean disables(JsonNode set, String name) {
    for (JsonNode plugin : set.path("disabled")) {
      if (plugin.path("name").asText().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
