package dev.berth.service.cli;

import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.StrictYaml;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * What the scheduler would take from a manifest: its pod's requests and who owns it.
 *
 * @param name namespace/name
 * @param owner namespace/kind/name
 * @param unregarded what it says besides of where its pods may run
 */
public record Manifest(
    String name, String owner, long cpuMilli, long memoryBytes, List<String> unregarded) {
  private static final List<String> PLACING =
      List.of("nodeName", "nodeSelector", "affinity", "topologySpreadConstraints");
  private static final String CARDS = "alibabacloud.com/gpu-";

  /**
   * Reads the first document.
   *
   * @param source named in errors
   * @throws IllegalArgumentException naming source and value
   */
  public static Manifest parse(String yaml, String source, String namespace) {
    Map<?, ?> root;
    try {
      Iterator<Object> documents =
          new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml).iterator();
      root = map(documents.hasNext() ? documents.next() : null);
    } catch (YAMLException e) {
      throw new IllegalArgumentException(source + " is not YAML: " + StrictYaml.problem(e), e);
    }
    if (root.get("kind") == null) {
      throw new IllegalArgumentException(
          source + " names no kind: give a manifest of a Pod or of what makes pods");
    }
    String kind = String.valueOf(root.get("kind"));
    Map<?, ?> pod = root;
    if (kind.equals("CronJob")) {
      pod = map(map(pod.get("spec")).get("jobTemplate"));
    }
    if (!kind.equals("Pod")) {
      pod = map(map(pod.get("spec")).get("template"));
    }
    Map<?, ?> spec = map(pod.get("spec"));
    if (!(spec.get("containers") instanceof List<?> containers) || containers.isEmpty()) {
      throw new IllegalArgumentException(
          source + " is of kind " + kind + " and has no containers: give a Pod or what makes pods");
    }
    Map<?, ?> metadata = map(root.get("metadata"));
    String space = text(metadata, "namespace", namespace);
    String name = text(metadata, "name", text(metadata, "generateName", "what-if"));
    try {
      return new Manifest(
          space + "/" + name,
          space + "/" + kind + "/" + name,
          request(spec, containers, "cpu", Quantity::milliCores),
          request(spec, containers, "memory", Quantity::bytes),
          unregarded(pod, spec, containers));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  private static List<String> unregarded(Map<?, ?> pod, Map<?, ?> spec, List<?> containers) {
    Set<String> names = new TreeSet<>();
    PLACING.stream().filter(spec::containsKey).forEach(names::add);
    for (Object container : containers) {
      Map<?, ?> resources = map(map(container).get("resources"));
      for (String part : List.of("requests", "limits")) {
        map(resources.get(part)).keySet().forEach(resource -> names.add(resource.toString()));
      }
    }
    map(map(pod.get("metadata")).get("annotations")).keySet().stream()
        .map(Object::toString)
        .filter(annotation -> annotation.startsWith(CARDS))
        .forEach(names::add);
    names.removeAll(List.of("cpu", "memory"));
    return List.copyOf(names);
  }

  /** As Kubernetes counts: all containers together, or the largest that runs before them. */
  private static long request(
      Map<?, ?> spec, List<?> containers, String what, ToLongFunction<String> parse) {
    long sum = containers.stream().mapToLong(c -> request(c, what, parse)).sum();
    long first = 0;
    if (spec.get("initContainers") instanceof List<?> before) {
      first = before.stream().mapToLong(c -> request(c, what, parse)).max().orElse(0);
    }
    Object overhead = map(spec.get("overhead")).get(what);
    return Math.max(sum, first) + (overhead == null ? 0 : parse.applyAsLong(overhead.toString()));
  }

  /** A limit stands in for a request that is not there. */
  private static long request(Object container, String what, ToLongFunction<String> parse) {
    Map<?, ?> resources = map(map(container).get("resources"));
    Object request = map(resources.get("requests")).get(what);
    Object wanted = request == null ? map(resources.get("limits")).get(what) : request;
    return wanted == null ? 0 : parse.applyAsLong(wanted.toString());
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String text(Map<?, ?> map, String key, String fallback) {
    Object value = map.get(key);
    return value == null ? fallback : value.toString();
  }
}
