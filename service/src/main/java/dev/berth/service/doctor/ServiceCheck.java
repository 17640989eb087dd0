package dev.berth.service.doctor;

import static dev.berth.service.doctor.Finding.error;
import static dev.berth.service.doctor.Finding.note;
import static dev.berth.service.doctor.Finding.warning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a running service says of itself in {@code /readyz}, each with its mend. */
final class ServiceCheck {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String CONFIG =
      "manifests/base/berth.yaml, then 'kubectl apply -k' of your overlay";

  /** By the names that {@code Service} gives them, the cause before what follows from it. */
  private static final Map<String, String> MENDS =
      Map.ofEntries(
          Map.entry(
              "prometheus",
              "check prometheus.url, or the query named, in "
                  + CONFIG
                  + "; if nothing answers, the namespace of Prometheus in"
                  + " manifests/base/networkpolicy.yaml"),
          Map.entry(
              "names",
              "set prometheus.nodes so that series name Kubernetes nodes (docs/configuration.md) in"
                  + " "
                  + CONFIG),
          Map.entry(
              "clock",
              "chronyc tracking on the nodes of Prometheus and of the service: let both follow the"
                  + " same time servers; if the service's own was put back, kubectl"
                  + " --namespace=berth-system rollout restart statefulset/berth-service"),
          Map.entry(
              "scheduler-clocks",
              "chronyc tracking on the nodes of that scheduler and of the service: let both follow"
                  + " the same time servers"),
          Map.entry(
              "samples",
              "kubectl get pods --all-namespaces --output=wide"
                  + " --selector=app.kubernetes.io/name=node-exporter: is there one on these nodes,"
                  + " and is up{} 1?"),
          Map.entry("labels", "kubectl label node NODE topology.kubernetes.io/zone=ZONE"),
          Map.entry(
              "nodes",
              "let a pod name the scheduler: manifests/nginx-deployment.yaml with schedulerName:"
                  + " berth-scheduler"),
          Map.entry(
              "schedulers",
              "kubectl --namespace=berth-system rollout restart deployment/berth-scheduler with the"
                  + " image of the service's release"),
          Map.entry(
              "secrets",
              "kubectl --namespace=berth-system get secret berth-token: mend what it says of the"
                  + " file"),
          Map.entry(
              "memory",
              "raise resources.limits.memory of the StatefulSet in manifests/base/service.yaml, and"
                  + " apply it"),
          Map.entry(
              "disk",
              "raise resources.requests.storage of the claim state-berth-service-0, or lower"
                  + " store.size in "
                  + CONFIG),
          Map.entry(
              "store",
              "kubectl --namespace=berth-system exec berth-service-0 -- berth models list shows"
                  + " whether the volume can be read; is it full or a network file system?"),
          Map.entry(
              "models",
              "berth models list, and 'berth models rollback --to VERSION' to one that can be"
                  + " read"),
          Map.entry("experiment", "berth ab stop, then start one that names what there is"),
          Map.entry("owners", "nothing: owners are learned anew within hours"),
          Map.entry(
              "trainer",
              "kubectl --namespace=berth-system logs berth-service-0: report the error; scoring"
                  + " goes on"),
          Map.entry("recording", "name another recording.file in " + CONFIG));

  private static final Map<String, String> PAGES =
      Map.of(
          "pods", "docs/operations.md, Usage of pods",
          "asked", "docs/modes.md, on which pods Berth decides",
          "recording", "docs/replay.md, Record");

  private static final List<String> ORDER =
      List.of(
          "secrets",
          "prometheus",
          "clock",
          "scheduler-clocks",
          "names",
          "samples",
          "schedulers",
          "nodes",
          "labels",
          "memory",
          "disk",
          "store",
          "models",
          "experiment",
          "owners",
          "trainer",
          "recording");

  private ServiceCheck() {}

  /**
   * @param readyz what it answered
   */
  static List<Finding> of(String readyz) {
    JsonNode ready = json(readyz);
    if (!ready.path("ready").isBoolean()) {
      return List.of(
          error(
              "service",
              "what answers /readyz is no Berth service",
              "name its reading port, such as --service http://127.0.0.1:8765; in a cluster, does the"
                  + " selector of Service berth-service match the pod?"));
    }
    List<Finding> findings = new ArrayList<>();
    ready
        .path("causes")
        .fields()
        .forEachRemaining(
            c ->
                findings.add(
                    error(
                        "service: " + c.getKey(),
                        "not ready: " + c.getValue().asText(),
                        mend(c.getKey()))));
    for (String name : ORDER) {
      add(findings, name, ready.path("warnings"));
    }
    ready
        .path("warnings")
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!ORDER.contains(name)) {
                add(findings, name, ready.path("warnings"));
              }
            });
    ready
        .path("notes")
        .fields()
        .forEachRemaining(
            n ->
                findings.add(
                    note(
                        "service: " + n.getKey(),
                        n.getValue().asText(),
                        PAGES.getOrDefault(n.getKey(), "docs/operations.md"))));
    return findings;
  }

  /** Missing where it is none: of {@code 404 page not found} a parser would take the number. */
  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private static void add(List<Finding> findings, String name, JsonNode warnings) {
    if (warnings.has(name)) {
      findings.add(warning("service: " + name, warnings.path(name).asText(), mend(name)));
    }
  }

  private static String mend(String name) {
    return MENDS.getOrDefault(name, "docs/operations.md");
  }
}
