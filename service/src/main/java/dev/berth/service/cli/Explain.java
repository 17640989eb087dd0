package dev.berth.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth explain}: why a pod is where it is. */
@Command(
    name = "explain",
    description = "Say why a pod was sent to its node: its newest decision, in words.")
public final class Explain implements Callable<Integer> {
  private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** What kubectl takes for a kind, and the kind as Kubernetes writes it. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("deployment", "Deployment"),
          Map.entry("deploy", "Deployment"),
          Map.entry("statefulset", "StatefulSet"),
          Map.entry("sts", "StatefulSet"),
          Map.entry("daemonset", "DaemonSet"),
          Map.entry("ds", "DaemonSet"),
          Map.entry("replicaset", "ReplicaSet"),
          Map.entry("rs", "ReplicaSet"),
          Map.entry("cronjob", "CronJob"),
          Map.entry("cj", "CronJob"),
          Map.entry("job", "Job"),
          Map.entry("pod", "Pod"),
          Map.entry("po", "Pod"));

  @Parameters(
      paramLabel = "POD",
      description =
          "A pod's name, NAMESPACE/NAME or uid; or deployment/NAME (sts/, ds/, job/, ...) for the"
              + " last pod of one.")
  private String target = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Where the name is (default: ${DEFAULT-VALUE}).")
  private String namespace = "default";

  @Mixin private DecisionOutput output = new DecisionOutput();

  @Mixin private ServiceClient service = new ServiceClient();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JsonNode found = service.get("/v1/decisions?limit=1&" + query()).path("decisions");
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "no decision for "
              + target
              + (inNamespace() ? " in namespace " + namespace : "")
              + ". Is the name right"
              + (inNamespace() ? ", and the namespace (--namespace)" : "")
              + "? If so, no scheduler asked Berth about it (see its schedulerName; of a burst a"
              + " scheduler asks only for some, its waitPercent says for how many), or it is longer"
              + " ago than store.keep.");
    }
    // Asked for alone, it is told with the features that moved it.
    String id = found.path(0).path("decision").asText();
    output.print(
        service.get("/v1/decisions/" + ServiceClient.path(id)), spec.commandLine().getOut());
    return 0;
  }

  /** Whether the target says nothing of its namespace. */
  private boolean inNamespace() {
    int slash = target.indexOf('/');
    return slash < 0 ? !UID.matcher(target).matches() : kind(target.substring(0, slash)) != null;
  }

  private String query() {
    if (target.isBlank()) {
      throw new CommandLine.ParameterException(spec.commandLine(), "POD is empty: name one");
    }
    int slash = target.indexOf('/');
    if (slash != target.lastIndexOf('/')) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          target
              + " has more than one '/': want NAMESPACE/NAME or KIND/NAME --namespace=NAMESPACE");
    }
    String kind = slash < 0 ? null : kind(target.substring(0, slash));
    if (kind != null && kind.equals("Pod")) {
      return "pod=" + ServiceClient.encoded(namespace + target.substring(slash));
    }
    if (kind != null) {
      return "owner=" + ServiceClient.encoded(namespace + "/" + kind + target.substring(slash));
    }
    boolean whole = slash >= 0 || UID.matcher(target).matches();
    return "pod=" + ServiceClient.encoded(whole ? target : namespace + "/" + target);
  }

  /** As kubectl takes and prints it, such as {@code deploy}, {@code deployments.apps}. */
  private static @Nullable String kind(String written) {
    String name = written.toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
    String kind = KINDS.get(name);
    return kind == null && name.endsWith("s")
        ? KINDS.get(name.substring(0, name.length() - 1))
        : kind;
  }
}
