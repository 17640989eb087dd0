package dev.berth.service.doctor;

import static dev.berth.service.doctor.Finding.error;
import static dev.berth.service.doctor.Finding.warning;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.policy.text.Quantity;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.operator.Kubectl;
import dev.berth.service.operator.Kubectl.Answer;
import dev.berth.service.operator.ModeSetting;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A cluster with Berth in it, as kubectl shows it, in the order in which one thing depends on
 * another: where nothing further can be seen, it ends.
 */
public final class ClusterCheck {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMESPACE = "berth-system";
  private static final String IN = "kubectl --namespace=" + NAMESPACE + " ";
  private static final String APPLY = "kubectl apply -k manifests/overlays/second-scheduler";

  /** What an hour of `make soak` was shown to hold: candidates, and the limit for them. */
  private static final int SOAKED_NODES = 5000;

  private static final double SOAKED_BYTES = 1536.0 * (1 << 20);

  private final Kubectl kubectl;
  private final List<Finding> findings = new ArrayList<>();
  private JsonNode objects = MissingNode.getInstance();

  public ClusterCheck(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /** Everything, the cause before what follows from it. */
  public List<Finding> look() {
    if (reachable() && installed()) {
      mode();
      configurations();
      pods();
      rights();
      events();
      service();
      nodes();
    }
    return findings;
  }

  private boolean reachable() {
    Answer answer = kubectl.run("get", "namespace", NAMESPACE, "--output=name");
    if (answer.fine()) {
      return true;
    }
    boolean absent = answer.error().contains("(NotFound)");
    findings.add(
        absent
            ? error("installation", "there is no namespace " + NAMESPACE, APPLY)
            : error(
                "cluster",
                "kubectl gets no answer: " + answer.problem(),
                "kubectl config get-contexts, then --context; or --kubeconfig"));
    return false;
  }

  private boolean installed() {
    Answer answer =
        kubectl.run(
            "--namespace=" + NAMESPACE,
            "get",
            "statefulsets,deployments,pods,configmaps,events",
            "--output=json");
    if (!answer.fine()) {
      findings.add(
          error(
              "cluster",
              "kubectl may not look: " + answer.problem(),
              IN + "create rolebinding doctor --clusterrole=view --user=YOU"));
      return false;
    }
    objects = json(answer.out()).path("items");
    if (find("StatefulSet", "berth-service").isMissingNode()) {
      findings.add(error("installation", "there is no StatefulSet berth-service", APPLY));
      return false;
    }
    Answer secret =
        kubectl.run(
            "--namespace=" + NAMESPACE,
            "get",
            "secret",
            "berth-token",
            "--ignore-not-found",
            "--output=name");
    if (secret.fine() && secret.out().isBlank()) {
      findings.add(
          error(
              "token",
              "there is no Secret berth-token: service and scheduler wait for it",
              IN
                  + "create secret generic berth-token --from-literal=token=\"$(openssl rand -hex"
                  + " 32)\""));
    }
    return true;
  }

  private void mode() {
    JsonNode map = find("ConfigMap", "berth-mode");
    if (map.isMissingNode()) {
      return;
    }
    Map<String, String> data = new TreeMap<>();
    map.path("data").fields().forEachRemaining(e -> data.put(e.getKey(), e.getValue().asText()));
    try {
      ModeSetting setting = ModeSetting.of(data);
      String since =
          " since %s, by %s"
              .formatted(
                  data.getOrDefault("changed-at", "?"), data.getOrDefault("changed-by", "?"));
      if (setting.mode().equals("off")) {
        findings.add(error("mode", "Berth is switched off" + since, "berth mode shadow"));
      } else if (setting.mode().equals("shadow")) {
        findings.add(
            warning(
                "mode",
                "Berth only watches" + since,
                "berth mode canary 5%, when you have seen enough"));
      }
    } catch (IllegalArgumentException e) {
      findings.add(
          error(
              "mode",
              "every scheduler refuses ConfigMap berth-mode and keeps the mode before: "
                  + e.getMessage(),
              "berth mode shadow"));
    }
  }

  private void configurations() {
    for (JsonNode object : objects) {
      String name = object.at("/metadata/name").asText();
      if (!object.path("kind").asText().equals("ConfigMap")) {
        continue;
      }
      if (name.startsWith("berth-service-config") && used(name)) {
        configuration(name, object.at("/data/berth.yaml").asText());
      }
      if (name.startsWith("berth-scheduler-config") && used(name)) {
        findings.addAll(
            SchedulerCheck.of(
                object.at("/data/scheduler-config.yaml").asText(), "ConfigMap " + name));
      }
    }
  }

  /** kustomize leaves the ConfigMaps of former configurations behind. */
  private boolean used(String configMap) {
    for (JsonNode object : objects) {
      for (JsonNode volume : object.at("/spec/template/spec/volumes")) {
        if (volume.at("/configMap/name").asText().equals(configMap)) {
          return true;
        }
      }
    }
    return false;
  }

  private void configuration(String name, String yaml) {
    try {
      ConfigLoader.parse(yaml.getBytes(StandardCharsets.UTF_8), "ConfigMap " + name, Map.of());
    } catch (ConfigException e) {
      findings.add(
          error(
              "service configuration",
              String.valueOf(e.getMessage()),
              "mend manifests/base/berth.yaml, then " + APPLY));
    }
  }

  private void pods() {
    each("Pod", this::pod);
    if (find("Deployment", "berth-scheduler").isMissingNode() && stockScheduler().isEmpty()) {
      findings.add(
          warning(
              "scheduler",
              "no scheduler with Berth is deployed: nobody asks the service",
              APPLY + ", or docs/install.md, step 2"));
    }
  }

  private Optional<String> stockScheduler() {
    Answer answer =
        kubectl.run(
            "--namespace=kube-system",
            "get",
            "pods",
            "--selector=app.kubernetes.io/name=berth-scheduler",
            "--output=name");
    return answer.fine() && !answer.out().isBlank()
        ? Optional.of(answer.out().strip())
        : Optional.empty();
  }

  private void pod(JsonNode pod) {
    String name = pod.at("/metadata/name").asText();
    for (JsonNode status : pod.at("/status/containerStatuses")) {
      String waiting = status.at("/state/waiting/reason").asText();
      String before = status.at("/lastState/terminated/reason").asText();
      String now = status.at("/state/terminated/reason").asText();
      if (before.equals("OOMKilled") || now.equals("OOMKilled")) {
        findings.add(
            error(
                "memory",
                name + " was killed for want of memory",
                "raise resources.limits.memory in manifests/"
                    + (name.startsWith("berth-service")
                        ? "base/service.yaml"
                        : "scheduler/scheduler.yaml")
                    + ", and apply it"));
      } else if (waiting.equals("ErrImagePull")
          || waiting.equals("ImagePullBackOff")
          || waiting.equals("ErrImageNeverPull")
          || waiting.equals("InvalidImageName")) {
        findings.add(
            error(
                "image",
                name + " has no image: " + status.at("/state/waiting/message").asText(waiting),
                "name yours in images: of manifests/"
                    + (name.startsWith("berth-service") ? "base" : "scheduler")
                    + "/kustomization.yaml, and apply it"));
      } else if (waiting.equals("CrashLoopBackOff")) {
        findings.add(
            error("pod", name + " ends again and again", IN + "logs " + name + " --previous"));
      }
    }
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")
          && condition.path("status").asText().equals("False")) {
        findings.add(
            error(
                "pod",
                name + " is not scheduled: " + condition.path("message").asText(),
                IN
                    + "describe pod "
                    + name
                    + "; a claim without a StorageClass: kubectl get storageclass"));
      }
    }
  }

  private void rights() {
    String account = "--as=system:serviceaccount:" + NAMESPACE + ":berth-scheduler";
    boolean deployed = !find("Deployment", "berth-scheduler").isMissingNode();
    if (deployed && refused(account, "get", "configmaps/berth-mode")) {
      findings.add(
          warning(
              "rights",
              "the scheduler may not read the ConfigMap of the mode: berth mode changes nothing",
              "kubectl apply -k manifests/base"));
    }
    // pods/binding would be the pod named binding
    if (deployed && refused(account, "create", "pods", "--subresource=binding")) {
      findings.add(
          error(
              "rights", "the scheduler may not bind pods", "kubectl apply -k manifests/scheduler"));
    }
  }

  private boolean refused(String account, String... what) {
    List<String> question = new ArrayList<>(List.of("--namespace=" + NAMESPACE, "auth", "can-i"));
    question.addAll(List.of(what));
    question.add(account);
    Answer answer = kubectl.run(null, question);
    return answer.out().strip().equals("no"); // anything else: the caller may not ask
  }

  /** What the schedulers said of the service on their own pods; the newest counts. */
  private void events() {
    JsonNode newest = MissingNode.getInstance();
    for (JsonNode event : objects) {
      String reason = event.path("reason").asText();
      boolean ours = reason.equals("BerthServiceFailing") || reason.equals("BerthServiceAnswers");
      if (event.path("kind").asText().equals("Event")
          && ours
          && time(event).compareTo(time(newest)) >= 0) {
        newest = event;
      }
    }
    if (newest.path("reason").asText().equals("BerthServiceFailing")) {
      String said = newest.path("message").asText(newest.path("note").asText());
      findings.add(error("scheduler", said, mend(said)));
    }
  }

  private static String time(JsonNode event) {
    for (String at : List.of("/series/lastObservedTime", "/lastTimestamp", "/eventTime")) {
      if (event.at(at).isTextual()) {
        return event.at(at).asText();
      }
    }
    return "";
  }

  private static String mend(String said) {
    if (said.contains("older than this scheduler")) {
      return IN
          + "rollout restart statefulset/berth-service with the image of the scheduler's release";
    }
    if (said.contains("401") || said.contains("token")) {
      return "give both the same token: the Secret berth-token, and /etc/berth/token on"
          + " control-plane nodes";
    }
    if (said.contains("tls: ")) {
      return "let caFile of the plugin hold the CA that signed server.tls.cert, for the host in url"
          + " (docs/security.md, TLS)";
    }
    if (said.contains("timeout: ")) {
      return "kubectl top pod --namespace="
          + NAMESPACE
          + ": give the service CPU, or move it beside the scheduler (overlays/replace-default)";
    }
    return IN
        + "get endpointslices,networkpolicies: is the service there, and may the scheduler reach"
        + " port 8766?";
  }

  private void service() {
    if (findings.stream()
        .anyMatch(
            f ->
                f.level() == Finding.Level.ERROR
                    && !f.about().equals("mode")
                    && !f.about().equals("scheduler"))) {
      return; // it cannot be well, and the cause is told
    }
    Answer answer =
        kubectl.run(
            "get",
            "--raw",
            "/api/v1/namespaces/" + NAMESPACE + "/pods/berth-service-0:8765/proxy/readyz");
    if (answer.fine()) {
      findings.addAll(ServiceCheck.of(answer.out()));
    } else {
      findings.add(
          warning(
              "service",
              "the API server does not reach the service: " + answer.problem(),
              IN
                  + "port-forward service/berth-service 8765 & berth doctor --service"
                  + " http://127.0.0.1:8765"));
    }
  }

  private void nodes() {
    Answer answer = kubectl.run("get", "nodes", "--output=json");
    if (!answer.fine()) {
      return;
    }
    JsonNode nodes = json(answer.out()).path("items");
    int zoned = 0;
    for (JsonNode node : nodes) {
      zoned += node.path("metadata").path("labels").has("topology.kubernetes.io/zone") ? 1 : 0;
    }
    if (zoned > 0 && zoned < nodes.size()) {
      findings.add(
          warning(
              "labels",
              "%d of %d nodes have no label topology.kubernetes.io/zone: they count as one zone"
                  .formatted(nodes.size() - zoned, nodes.size()),
              "kubectl label node NODE topology.kubernetes.io/zone=ZONE"));
    }
    memory(nodes.size());
  }

  private void memory(int nodes) {
    String limit =
        find("StatefulSet", "berth-service")
            .at("/spec/template/spec/containers/0/resources/limits/memory")
            .asText();
    double needed = SOAKED_BYTES * nodes / SOAKED_NODES;
    if (!limit.isEmpty() && nodes > SOAKED_NODES && Quantity.bytes(limit) < needed) {
      findings.add(
          warning(
              "memory",
              "%d nodes with a limit of %s: 1536Mi were shown to hold %d (make soak)"
                  .formatted(nodes, limit, SOAKED_NODES),
              "set limits.memory to %dMi in manifests/base/service.yaml, and apply it"
                  .formatted((long) Math.ceil(needed / (1 << 20)))));
    }
  }

  private JsonNode find(String kind, String name) {
    for (JsonNode object : objects) {
      if (object.path("kind").asText().equals(kind)
          && object.at("/metadata/name").asText().equals(name)) {
        return object;
      }
    }
    return MissingNode.getInstance();
  }

  private void each(String kind, Consumer<JsonNode> look) {
    for (JsonNode object : objects) {
      if (object.path("kind").asText().equals(kind)) {
        look.accept(object);
      }
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("kubectl answered no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
