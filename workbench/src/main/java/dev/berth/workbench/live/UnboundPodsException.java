package dev.berth.workbench.live;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.util.List;

/**
 * Pods stayed pending for too long; the message says how many, since when, and the first reason.
 */
public final class UnboundPodsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnboundPodsException(int missing, Duration patience, List<Pod> pods) {
    super(
        missing
            + " pods are not bound after "
            + patience.toSeconds()
            + " s: "
            + reason(pods)
            + ". Is the scheduler running (`make status`), and is there room (`berth top`)?");
  }

  private static String reason(List<Pod> pods) {
    for (Pod pod : pods) {
      if (LivePods.pending(pod)) {
        for (PodCondition condition : pod.getStatus().getConditions()) {
          if ("PodScheduled".equals(condition.getType()) && condition.getMessage() != null) {
            return pod.getMetadata().getName() + ": " + condition.getMessage();
          }
        }
        return pod.getMetadata().getName() + " was not looked at by any scheduler";
      }
    }
    return "they do not exist yet";
  }
}
