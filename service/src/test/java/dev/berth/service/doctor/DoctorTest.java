package dev.berth.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.berth.service.operator.Kubectl;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Prepared faults, each with what follows from it: the doctor names the cause first. The cluster is
 * a stand-in for kubectl with the objects of the manifests.
 */
class DoctorTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path ROOT = Path.of(System.getProperty("berth.root"));
  private static final String CONNECTION =
      "calls to http://berth-service:8766 fail, the other plugins decide: connection: refused";

  @TempDir Path folder;

  /** A cluster in which all is well, until a fault changes it. */
  private static final class World implements Kubectl {
    final List<ObjectNode> objects = new ArrayList<>();
    final ObjectNode readyz = object("{\"ready\":true,\"causes\":{},\"warnings\":{}}");

    /** What kubectl would call the scheduler's rights, as the manifests give them. */
    final Set<String> rights =
        new HashSet<>(Set.of("get configmaps/berth-mode", "create pods --subresource=binding"));

    final ArrayNode nodes = JSON.createArrayNode();
    String token = "secret/berth-token";
    String namespaceError = "";
    boolean serviceAnswers = true;

    World() throws Exception {
      add("StatefulSet", "berth-service")
          .set(
              "spec",
              object(
                  "{\"template\":{\"spec\":{\"volumes\":[{\"configMap\":{\"name\":\"berth-service-config-1\"}}],"
                      + "\"containers\":[{\"resources\":{\"limits\":{\"memory\":\"1536Mi\"}}}]}}}"));
      add("Deployment", "berth-scheduler")
          .set(
              "spec",
              object(
                  "{\"template\":{\"spec\":{\"volumes\":[{\"configMap\":{\"name\":\"berth-scheduler-config-1\"}}]}}}"));
      add("Pod", "berth-service-0");
      add("Pod", "berth-scheduler-abc");
      config("berth-service-config-1", "berth.yaml", shipped("manifests/base/berth.yaml"));
      config("berth-service-config-0", "berth.yaml", "left: behind"); // by kustomize
      config(
          "berth-scheduler-config-1",
          "scheduler-config.yaml",
          shipped("manifests/scheduler/scheduler-config.yaml"));
      for (int i = 0; i < 3; i++) {
        nodes.add(object("{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"a\"}}}"));
      }
    }

    static String shipped(String file) throws Exception {
      return Files.readString(ROOT.resolve(file));
    }

    static ObjectNode object(String json) {
      try {
        return (ObjectNode) JSON.readTree(json);
      } catch (Exception e) {
        throw new IllegalArgumentException(json, e);
      }
    }

    ObjectNode add(String kind, String name) {
      ObjectNode object = JSON.createObjectNode().put("kind", kind);
      object.putObject("metadata").put("name", name);
      objects.add(object);
      return object;
    }

    ObjectNode find(String kind, String name) {
      return objects.stream()
          .filter(
              o ->
                  o.get("kind").asText().equals(kind)
                      && o.at("/metadata/name").asText().equals(name))
          .findFirst()
          .orElseThrow();
    }

    void config(String name, String key, String text) {
      add("ConfigMap", name).putObject("data").put(key, text);
    }

    void scheduler(String from, String to) {
      edit("berth-scheduler-config-1", "scheduler-config.yaml", from, to);
    }

    void edit(String map, String key, String from, String to) {
      ObjectNode data = (ObjectNode) find("ConfigMap", map).get("data");
      String text = data.get(key).asText();
      assertThat(text).contains(from);
      data.put(key, text.replace(from, to));
    }

    void mode(String... pairs) {
      ObjectNode data = add("ConfigMap", "berth-mode").putObject("data");
      for (int i = 0; i < pairs.length; i += 2) {
        data.put(pairs[i], pairs[i + 1]);
      }
    }

    void status(String pod, String json) {
      find("Pod", pod).set("status", object(json));
    }

    void event(String reason, String at, String message) {
      add("Event", reason + at)
          .put("reason", reason)
          .put("message", message)
          .put("lastTimestamp", at);
    }

    /** The service is down: nobody answers, and the scheduler says so. */
    void down() {
      serviceAnswers = false;
      event("BerthServiceFailing", "2026-11-22T10:00:00Z", CONNECTION);
    }

    void warns(String name, String text) {
      ((ObjectNode) readyz.get("warnings")).put(name, text);
    }

    @Override
    public Answer run(@Nullable String input, List<String> arguments) {
      String asked = String.join(" ", arguments);
      if (asked.startsWith("get namespace")) {
        return namespaceError.isEmpty()
            ? ok("namespace/berth-system")
            : new Answer(1, "", namespaceError);
      }
      if (asked.contains("get secret")) {
        return ok(token);
      }
      if (asked.contains("get statefulsets")) {
        return ok(list(objects));
      }
      if (asked.contains("auth can-i")) {
        String right = asked.replaceAll("^.* can-i | --as=system:serviceaccount:.*$", "");
        return rights.contains(right) ? ok("yes\n") : new Answer(1, "no\n", "");
      }
      if (asked.contains("/readyz")) {
        return serviceAnswers
            ? ok(readyz.toString())
            : new Answer(
                1,
                "",
                "Error from server (ServiceUnavailable): the server is currently unable to handle"
                    + " the request");
      }
      if (asked.startsWith("get nodes")) {
        return ok(list(nodes));
      }
      return ok("");
    }

    private static Answer ok(String text) {
      return new Answer(0, text, "");
    }

    private static String list(Iterable<?> items) {
      return "{\"items\":" + JSON.valueToTree(items) + "}";
    }
  }

  /** One thing that is broken, and the first that must be said. */
  private record Fault(
      String name, Consumer<World> breaks, String about, String what, String mend) {}

  private static final String WAITING =
      "{\"containerStatuses\":[{\"state\":{\"waiting\":{\"reason\":\"%s\",\"message\":\"%s\"}}}]}";

  private static final List<Fault> FAULTS =
      List.of(
          new Fault(
              "the API server does not answer",
              w -> w.namespaceError = "The connection to the server was refused",
              "cluster",
              "was refused",
              "kubectl config get-contexts"),
          new Fault(
              "nothing is installed",
              w ->
                  w.namespaceError =
                      "Error from server (NotFound): namespaces \"berth-system\" not found",
              "installation",
              "no namespace",
              "kubectl apply -k"),
          new Fault(
              "the namespace is empty",
              w -> w.objects.clear(),
              "installation",
              "no StatefulSet",
              "kubectl apply -k"),
          new Fault(
              "the Secret was never made",
              w -> {
                w.token = "";
                w.status("berth-service-0", WAITING.formatted("ContainerCreating", ""));
                w.status("berth-scheduler-abc", WAITING.formatted("ContainerCreating", ""));
                w.down();
              },
              "token",
              "no Secret berth-token",
              "create secret generic berth-token"),
          new Fault(
              "Berth is switched off",
              w -> w.mode("mode", "off", "changed-by", "alice", "changed-at", "t1"),
              "mode",
              "switched off since t1, by alice",
              "berth mode shadow"),
          new Fault(
              "Berth only watches",
              w -> w.mode("mode", "shadow"),
              "mode",
              "only watches",
              "berth mode canary"),
          new Fault(
              "somebody wrote nonsense into the mode",
              w -> w.mode("mode", "on"),
              "mode",
              "mode is \"on\"",
              "berth mode shadow"),
          new Fault(
              "a key of the service's configuration is misspelt",
              w -> {
                w.edit("berth-service-config-1", "berth.yaml", "state-folder", "state-foldr");
                w.status("berth-service-0", WAITING.formatted("CrashLoopBackOff", ""));
                w.down();
              },
              "service configuration",
              "state-foldr",
              "manifests/base/berth.yaml"),
          new Fault(
              "Score is enabled without PreScore",
              w -> w.scheduler("multiPoint:", "score:"),
              "scheduler profile",
              "does not enable Berth at preScore, reserve, postBind: Score alone",
              "multiPoint"),
          new Fault(
              "no profile has Berth",
              w -> w.scheduler("name: Berth", "name: Other"),
              "scheduler profile",
              "no profile with Berth",
              "multiPoint"),
          new Fault(
              "the other plugins outvote Berth",
              w -> w.scheduler("weight: 20", "weight: 1"),
              "scheduler profile",
              "weight 1, the other score plugins have 12",
              "give it 20"),
          new Fault(
              "Berth is not the first to bind",
              w -> w.scheduler("bind:\n        enabled: [{name: Berth}]", "bind: {}"),
              "scheduler profile",
              "not the first Bind plugin",
              "bind: {enabled"),
          new Fault(
              "the scheduler asks where people read",
              w -> {
                w.scheduler(":8766", ":8765");
                w.event(
                    "BerthServiceFailing",
                    "2026-11-22T10:00:00Z",
                    "status: /v1/score answered 404 Not Found");
              },
              "scheduler profile",
              "where people read",
              ":8766"),
          new Fault(
              "there is not memory enough",
              w -> {
                w.status(
                    "berth-service-0",
                    "{\"containerStatuses\":[{\"lastState\":{\"terminated\":{\"reason\":\"OOMKilled\"}},\"state\":{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}}]}");
                w.down();
              },
              "memory",
              "killed for want of memory",
              "resources.limits.memory"),
          new Fault(
              "the image is not there",
              w -> {
                w.status("berth-scheduler-abc", WAITING.formatted("ImagePullBackOff", "not found"));
              },
              "image",
              "berth-scheduler-abc has no image: not found",
              "manifests/scheduler/kustomization.yaml"),
          new Fault(
              "the volume cannot be made",
              w -> {
                w.status(
                    "berth-service-0",
                    "{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\",\"message\":\"unbound"
                        + " immediate PersistentVolumeClaims\"}]}");
                w.down();
              },
              "pod",
              "unbound immediate PersistentVolumeClaims",
              "storageclass"),
          new Fault(
              "the scheduler may not read the mode",
              w -> w.rights.remove("get configmaps/berth-mode"),
              "rights",
              "may not read the ConfigMap of the mode",
              "kubectl apply -k manifests/base"),
          new Fault(
              "the scheduler may not bind",
              w -> w.rights.remove("create pods --subresource=binding"),
              "rights",
              "may not bind pods",
              "kubectl apply -k manifests/scheduler"),
          new Fault(
              "service and scheduler have two tokens",
              w ->
                  w.event(
                      "BerthServiceFailing",
                      "2026-11-22T10:00:00Z",
                      "status: /v1/score answered 401 Unauthorized"),
              "scheduler",
              "401",
              "the same token"),
          new Fault(
              "the certificate is of another CA",
              w ->
                  w.event(
                      "BerthServiceFailing",
                      "2026-11-22T10:00:00Z",
                      "tls: signed by unknown authority"),
              "scheduler",
              "unknown authority",
              "caFile"),
          new Fault(
              "the service is older than the scheduler",
              w ->
                  w.event(
                      "BerthServiceFailing",
                      "2026-11-22T10:00:00Z",
                      "status: the service is older than this scheduler's plugin"),
              "scheduler",
              "older",
              "rollout restart statefulset/berth-service"),
          new Fault(
              "the scheduler does not reach the service",
              w -> w.event("BerthServiceFailing", "2026-11-22T10:00:00Z", CONNECTION),
              "scheduler",
              "connection: refused",
              "networkpolicies"),
          new Fault(
              "the scheduler is older than the service",
              w -> w.warns("schedulers", "scheduler 'a' speaks revision 1"),
              "service: schedulers",
              "revision 1",
              "rollout restart deployment/berth-scheduler"),
          new Fault(
              "Prometheus is not where it should be",
              w -> {
                w.warns("prometheus", "{cpu=no connection to http://prometheus:9090}");
                w.warns("samples", "of 3 nodes that schedulers name 3 have no sample");
              },
              "service: prometheus",
              "no connection",
              "prometheus.url"),
          new Fault(
              "Prometheus names nodes otherwise",
              w -> {
                w.warns("names", "schedulers name nodes a, Prometheus names 10.0.0.1");
                w.warns("samples", "of 3 nodes 3 have no sample");
              },
              "service: names",
              "10.0.0.1",
              "prometheus.nodes"),
          new Fault(
              "clocks differ",
              w -> {
                w.warns("samples", "of 3 nodes 3 only one older");
                w.warns("clock", "Prometheus' clock is 300 s ahead");
              },
              "service: clock",
              "300 s",
              "chronyc"),
          new Fault(
              "node-exporter is missing on half of the nodes",
              w -> w.warns("samples", "of 4 nodes that schedulers name 2 have no sample"),
              "service: samples",
              "have no sample",
              "node-exporter"),
          new Fault(
              "the volume is nearly full",
              w -> w.warns("disk", "5 MiB are free"),
              "service: disk",
              "5 MiB",
              "storage"),
          new Fault(
              "the model is of another release",
              w -> w.warns("models", "version 7 has another feature schema"),
              "service: models",
              "feature schema",
              "berth models rollback"),
          new Fault(
              "some nodes have no zone",
              w -> w.nodes.add(World.object("{\"metadata\":{\"labels\":{}}}")),
              "labels",
              "1 of 4 nodes",
              "kubectl label node"),
          new Fault(
              "the cluster has outgrown the limit",
              w -> {
                for (int i = 0; i < 9997; i++) {
                  w.nodes.add(w.nodes.get(0));
                }
              },
              "memory",
              "10000 nodes with a limit of 1536Mi",
              "limits.memory to 3072Mi"));

  @TestFactory
  Stream<DynamicTest> ofEveryPreparedFaultTheCauseIsNamedFirst() {
    assertThat(FAULTS).hasSizeGreaterThanOrEqualTo(20);
    return FAULTS.stream()
        .map(
            f ->
                DynamicTest.dynamicTest(
                    f.name(),
                    () -> {
                      World world = new World();
                      f.breaks().accept(world);
                      List<Finding> findings = new ClusterCheck(world).look();
                      assertThat(findings).isNotEmpty();
                      Finding first = findings.get(0);
                      assertThat(first.about()).isEqualTo(f.about());
                      assertThat(first.what()).contains(f.what());
                      assertThat(first.mend()).contains(f.mend());
                    }));
  }

  @Test
  void whereAllIsWellNothingIsFound() throws Exception {
    World world = new World();
    world.mode("mode", "active");
    world.event("BerthServiceFailing", "2026-11-22T10:00:00Z", CONNECTION);
    world.event("BerthServiceAnswers", "2026-11-22T10:01:00Z", "answers again");
    assertThat(new ClusterCheck(world).look()).isEmpty();
  }

  @Test
  void whatIsGoodToKnowIsSaidLastAndIsNoFault() throws Exception {
    World world = new World();
    world.mode("mode", "active");
    world.readyz.putObject("notes").put("pods", "Prometheus tells what 50 running pods use");
    assertThat(new ClusterCheck(world).look())
        .containsExactly(
            Finding.note(
                "service: pods",
                "Prometheus tells what 50 running pods use",
                "docs/operations.md, Usage of pods"));
  }

  @Test
  void theShippedSchedulerConfigurationsAreFoundWell() {
    for (String file :
        List.of(
            "manifests/scheduler/scheduler-config.yaml",
            "manifests/overlays/replace-default/control-plane/scheduler-config.yaml")) {
      assertThat(FileCheck.schedulerConfig(ROOT.resolve(file))).as(file).isEmpty();
    }
    assertThat(FileCheck.schedulerConfig(ROOT.resolve("scheduler-plugin-go/config/scheduler.yaml")))
        .as("which names no token, as its README says")
        .singleElement()
        .satisfies(finding -> assertThat(finding.what()).contains("no tokenFile"));
  }

  @ParameterizedTest
  @CsvSource({
    "'url: http', 'url: nonsense http', url is 'nonsense http",
    "'url: http://', 'url: http://me:s3cret@', 'has a user or password in its url'",
    "'mode: active', 'mode: off', mode is false: the scheduler does not start",
    "'mode: active', 'mode: acting', mode is \"acting\"",
    "'mode: active', 'url: http://x:8766', duplicate key url",
    "'weight: 20', 'weight: -20', 'gives Berth weight -20,'",
    "'mode: active', 'modee: active', 'no argument modee; did you mean mode?: the scheduler does'",
    "'mode: active', 'canary: {percents: 5}', 'no argument canary.percents; did you mean percent?'",
    "'mode: active', 'timeout: 5m', 'timeout is \"5m\": the scheduler does not start'",
    "'mode: active', 'timeout: 20', 'timeout is 20'",
    "'mode: active', 'waitPercent: 0', 'waitPercent is 0'",
    "'mode: active', 'breaker: 5', 'breaker is 5'",
  })
  void whatTheSchedulerWouldRefuseOrNotHeedIsSaidBefore(String right, String wrong, String what)
      throws Exception {
    String yaml = Files.readString(ROOT.resolve("manifests/scheduler/scheduler-config.yaml"));
    assertThat(yaml).contains(right);
    Path file = Files.writeString(folder.resolve("wrong.yaml"), yaml.replace(right, wrong));
    assertThat(FileCheck.schedulerConfig(file))
        .as(file.toString())
        .anySatisfy(finding -> assertThat(finding.what()).contains(what));
  }

  @Test
  void whatTheSchedulerTakesIsFoundWell() throws Exception {
    String yaml = Files.readString(ROOT.resolve("manifests/scheduler/scheduler-config.yaml"));
    for (String right :
        List.of(
            "timeout: 0.5s",
            "pendingWindow: 1m30s",
            "outcomes: {resyncInterval: 24h, queueSize: 1}",
            "canary: {percent: 5, namespaces: [web]}",
            "breaker:")) {
      Path file =
          Files.writeString(folder.resolve("right.yaml"), yaml.replace("mode: active", right));
      assertThat(FileCheck.schedulerConfig(file)).as(right).isEmpty();
    }
    String socket = yaml.replaceFirst("url: \\S+", "url: unix:///run/berth.sock");
    assertThat(FileCheck.schedulerConfig(Files.writeString(folder.resolve("s.yaml"), socket)))
        .isEmpty();
  }

  @Test
  void whatIsNoBerthServiceIsSaidToBeNone() throws Exception {
    HttpServer other = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    int[] status = {404};
    String[] body = {"404 page not found"};
    other.createContext(
        "/",
        exchange -> {
          byte[] bytes = body[0].getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status[0], bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    other.start();
    String url = "http://127.0.0.1:" + other.getAddress().getPort();
    try {
      assertThat(FileCheck.service(url))
          .singleElement()
          .extracting(Finding::what)
          .isEqualTo(url + " is no Berth service: /readyz answers 404");
      status[0] = 200;
      for (String text : List.of("404 page not found", "ok", "{}", "[]", "")) {
        body[0] = text;
        assertThat(FileCheck.service(url))
            .as(text)
            .singleElement()
            .extracting(Finding::what)
            .isEqualTo("what answers /readyz is no Berth service");
      }
      status[0] = 503;
      body[0] = "{\"ready\":false,\"causes\":{\"store\":\"full\"}}";
      assertThat(FileCheck.service(url))
          .singleElement()
          .extracting(Finding::what)
          .isEqualTo("not ready: full");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void aConfigurationFileIsLookedAtWithoutAnyCluster() throws Exception {
    Path file = folder.resolve("berth.yaml");
    Files.writeString(
        file,
        "state-folder: %s\nserver: {token-file: %s}\nprometheus: {url: 'http://127.0.0.1:1', timeout: 1s}\n"
            .formatted(folder.resolve("state"), folder.resolve("token")));
    List<Finding> findings = FileCheck.serviceConfig(file, Map.of());
    assertThat(findings).extracting(Finding::about).containsExactly("token", "prometheus");
    assertThat(findings.get(0).what()).endsWith("token cannot be read: no such file or folder");
    assertThat(findings.get(1).what())
        .endsWith("no connection to http://127.0.0.1:1/api/v1/query: nothing listens there");
    assertThat(findings.get(1).mend()).contains("http://127.0.0.1:1");
    Files.writeString(file, "state-foldr: /x\n");
    assertThat(FileCheck.serviceConfig(file, Map.of()))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("state-foldr");
  }

  @Test
  void whatIsNoYamlOrNoUrlIsSaidWithItsPlace() throws Exception {
    Path file = Files.writeString(folder.resolve("scheduler.yaml"), "profiles:\n  - [\n");
    assertThat(FileCheck.schedulerConfig(file))
        .singleElement()
        .extracting(Finding::what)
        .asString()
        .contains("is no YAML: line 3: expected");
    assertThat(FileCheck.service("localhost"))
        .containsExactly(
            Finding.error("service", "localhost is no URL", "--service http://127.0.0.1:8765"));
  }

  @Test
  void aServiceThatIsNotThereIsSaidToBeNotThere() throws Exception {
    assertThat(FileCheck.service("http://127.0.0.1:1"))
        .singleElement()
        .extracting(Finding::mend)
        .asString()
        .contains("server.port");
  }
}
