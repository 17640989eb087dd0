package dev.berth.service.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.service.operator.Kubectl.Answer;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ConfigMap that says the mode, read and written with the rights of whoever runs kubectl. */
public final class ModeMap {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TRIES = 5;

  private final Kubectl kubectl;
  private final Clock clock;
  private final String namespace;
  private final String name;

  /**
   * @param place {@code namespace/name}, the schedulers' {@code modeConfigMap}
   */
  public ModeMap(Kubectl kubectl, Clock clock, String place) {
    String[] parts = place.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new IllegalArgumentException(
          "--configmap is '" + place + "': want namespace/name, such as berth-system/berth-mode");
    }
    this.kubectl = kubectl;
    this.clock = clock;
    this.namespace = parts[0];
    this.name = parts[1];
  }

  /**
   * What the ConfigMap says.
   *
   * @param data as it is; empty when there is none
   * @param past who wrote it past this command, and when; null when nobody did
   */
  public record Found(boolean there, Map<String, String> data, @Nullable String past) {}

  public Found read() {
    ObjectNode object = object();
    return object == null
        ? new Found(false, Map.of(), null)
        : new Found(true, data(object), past(object));
  }

  /**
   * Writes what {@code change} makes of the setting there is, with who and when. Somebody else's
   * change in between is taken into account, not overwritten.
   *
   * @param change gets null where there is no setting, or none that makes sense
   */
  public ModeSetting write(Function<@Nullable ModeSetting, ModeSetting> change) {
    String by = caller();
    for (int i = 1; ; i++) {
      ObjectNode object = object();
      Map<String, String> before = object == null ? Map.of() : data(object);
      ModeSetting wanted = change.apply(sensible(before));
      Map<String, String> data = wanted.data();
      String at = Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString();
      ModeLog.sign(data, before, by, at, wanted.toString());
      Answer answer = write(object, data);
      if (answer.fine()) {
        return wanted;
      }
      boolean overtaken =
          answer.error().contains("(Conflict)") || answer.error().contains("(AlreadyExists)");
      if (!overtaken || i == TRIES) {
        throw new IllegalStateException(
            "the mode is as it was, ConfigMap %s/%s cannot be written: %s%s"
                .formatted(
                    namespace,
                    name,
                    answer.problem(),
                    unnamespaced(answer)
                        ? absent()
                        : object != null && object.path("immutable").asBoolean()
                            ? "; kubectl --namespace=%s delete configmap %s, then again"
                                .formatted(namespace, name)
                            : ""));
      }
    }
  }

  private boolean unnamespaced(Answer answer) {
    return answer.error().contains("namespaces \"" + namespace + "\" not found");
  }

  /** As on the local cluster, where schedulers run beside the cluster. */
  private String absent() {
    return ": kubectl create namespace %s, then again".formatted(namespace);
  }

  private Answer write(@Nullable ObjectNode there, Map<String, String> data) {
    ObjectNode object = there;
    if (object == null) {
      object = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
      object.putObject("metadata").put("namespace", namespace).put("name", name);
    }
    object.remove("binaryData"); // a key that is there, too, could not be written
    object.set("data", JSON.valueToTree(data));
    return kubectl.run(object.toString(), List.of(there == null ? "create" : "replace", "-f", "-"));
  }

  private static @Nullable ModeSetting sensible(Map<String, String> data) {
    try {
      return data.isEmpty() ? null : ModeSetting.of(data);
    } catch (IllegalArgumentException e) { // what is written next mends it
      return null;
    }
  }

  private @Nullable ObjectNode object() {
    Answer answer =
        kubectl.run(
            "get",
            "configmap",
            name,
            "--namespace=" + namespace,
            "--ignore-not-found",
            "--show-managed-fields",
            "--output=json");
    if (!answer.fine()) {
      throw new IllegalStateException(
          "cannot read ConfigMap " + namespace + "/" + name + ": " + answer.problem());
    }
    if (answer.out().isBlank()) {
      return null;
    }
    if (json(answer.out()) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalStateException("kubectl answered no ConfigMap: " + answer.out().strip());
  }

  private static Map<String, String> data(JsonNode object) {
    Map<String, String> data = new TreeMap<>();
    object
        .path("data")
        .fields()
        .forEachRemaining(e -> data.put(e.getKey(), Printable.text(e.getValue().asText())));
    return data;
  }

  /** The API server notes the program and time of each write: one after ours is another's. */
  private static @Nullable String past(JsonNode object) {
    String at = object.at("/data/" + ModeLog.AT).asText();
    String last = "";
    String manager = "";
    for (JsonNode write : object.at("/metadata/managedFields")) {
      if (write.path("time").asText().compareTo(last) > 0) {
        last = write.path("time").asText();
        manager = write.path("manager").asText();
      }
    }
    boolean ours = last.isEmpty() || (!at.isEmpty() && !later(last, at));
    return ours ? null : "%s, by %s".formatted(last, manager);
  }

  private static boolean later(String last, String at) {
    try {
      return Instant.parse(last).isAfter(Instant.parse(at).plusSeconds(60)); // clocks differ
    } catch (java.time.DateTimeException e) {
      return true;
    }
  }

  /** As the API server knows the caller, else as this machine does. */
  private String caller() {
    Answer answer = kubectl.run("auth", "whoami", "--output=json");
    String name = answer.fine() ? json(answer.out()).at("/status/userInfo/username").asText() : "";
    return name.isEmpty() ? System.getProperty("user.name") + " (unverified)" : name;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("kubectl answered no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
