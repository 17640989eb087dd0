package dev.berth.workbench.live;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a Kubernetes pod that this package needs. */
final class LivePods {
  /**
   * The CronJob controller ends a Job's name with the minute of the run, counted since 1970; it
   * does so since minute 27 million, which tells it from a date such as 20260131.
   */
  private static final Pattern RUN_OF_A_CRON_JOB = Pattern.compile("(.+)-(2[7-9]|[3-9]\\d)\\d{6}");

  private LivePods() {}

  /** Whether the pod holds a node: bound and not finished. */
  static boolean occupies(Pod pod) {
    String phase = pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    return pod.getSpec().getNodeName() != null
        && !phase.equals("Succeeded")
        && !phase.equals("Failed");
  }

  /** Bound to no node and not finished. */
  static boolean pending(Pod pod) {
    return pod.getSpec().getNodeName() == null
        && pod.getStatus() != null
        && "Pending".equals(pod.getStatus().getPhase());
  }

  /** The pod under another uid than its own. */
  static dev.berth.policy.cluster.Pod toPod(Pod pod, String uid) {
    ObjectMeta meta = pod.getMetadata();
    return new dev.berth.policy.cluster.Pod(
        uid,
        meta.getName(),
        meta.getNamespace(),
        owner(pod),
        pod.getSpec().getPriority() == null ? 0 : pod.getSpec().getPriority(),
        cpuRequestMilli(pod),
        memoryRequestBytes(pod),
        GpuRequest.NONE,
        LatencyLimits.NONE);
  }

  /**
   * The controller as {@code namespace/kind/name}. Pods of a ReplicaSet count as their Deployment's
   * and those of a Job as their CronJob's, so that neither a rollout nor the next run changes what
   * an application does. Without a controller, pods of one generated name are alike.
   */
  static String owner(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    for (OwnerReference reference : meta.getOwnerReferences()) {
      if (Boolean.TRUE.equals(reference.getController())) {
        String name = reference.getName();
        String hash = meta.getLabels() == null ? null : meta.getLabels().get("pod-template-hash");
        if ("ReplicaSet".equals(reference.getKind())
            && hash != null
            && !hash.isEmpty()
            && name.endsWith("-" + hash)) {
          String deployment = name.substring(0, name.length() - hash.length() - 1);
          return meta.getNamespace() + "/Deployment/" + deployment;
        }
        Matcher run = RUN_OF_A_CRON_JOB.matcher(name);
        if ("Job".equals(reference.getKind()) && run.matches()) {
          return meta.getNamespace() + "/CronJob/" + run.group(1);
        }
        return meta.getNamespace() + "/" + reference.getKind() + "/" + name;
      }
    }
    String generated = meta.getGenerateName();
    return meta.getNamespace()
        + "/Pod/"
        + (generated == null || generated.isEmpty() ? meta.getName() : generated);
  }

  static long cpuRequestMilli(Pod pod) {
    return Math.round(1000 * requested(pod, "cpu"));
  }

  static long memoryRequestBytes(Pod pod) {
    return Math.round(requested(pod, "memory"));
  }

  /** Sum of the containers' CPU limits; 0 (none) as soon as one container has none. */
  static long cpuLimitMilli(Pod pod) {
    double sum = 0;
    for (Container container : pod.getSpec().getContainers()) {
      Map<String, Quantity> limits =
          container.getResources() == null ? null : container.getResources().getLimits();
      Quantity limit = limits == null ? null : limits.get("cpu");
      if (limit == null) {
        return 0;
      }
      sum += amount(limit);
    }
    return Math.round(1000 * sum);
  }

  /** When the pod's containers started, epoch seconds; {@code otherwise} while nobody says. */
  static double startedAt(Pod pod, double otherwise) {
    String time = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
    return time == null ? otherwise : Instant.parse(time).toEpochMilli() / 1000.0;
  }

  /**
   * The true speed of a fake node, 1 when nothing is said.
   *
   * @throws IllegalArgumentException naming the node, when it is no number above 0
   */
  static double speed(Node node) {
    Map<String, String> notes = node.getMetadata().getAnnotations();
    String text = notes == null ? null : notes.get(UsageExporter.SPEED);
    try {
      double speed = text == null ? 1 : Double.parseDouble(text);
      if (speed > 0 && speed < Double.POSITIVE_INFINITY) {
        return speed;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "node %s has %s '%s': write a number above 0, such as 0.7"
            .formatted(node.getMetadata().getName(), UsageExporter.SPEED, text));
  }

  /** A quantity in its base unit: cores or bytes. */
  static double amount(@Nullable Quantity quantity) {
    return quantity == null ? 0 : Quantity.getAmountInBytes(quantity).doubleValue();
  }

  private static double requested(Pod pod, String resource) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Container container : pod.getSpec().getContainers()) {
      Map<String, Quantity> requests =
          container.getResources() == null ? null : container.getResources().getRequests();
      Quantity request = requests == null ? null : requests.get(resource);
      if (request != null) {
        sum = sum.add(Quantity.getAmountInBytes(request));
      }
    }
    return sum.doubleValue();
  }
}
