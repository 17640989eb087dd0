package dev.berth.simulator.workload;

/**
 * One line of a Deployment list, as the AAML experiment saves it.
 *
 * @param name adjective-noun, unique within a list
 * @param podCount replicas
 * @param cpuRequestMilli per pod, milli-cores
 * @param cpuLimitMilli per pod, milli-cores
 * @param memoryRequestBytes per pod
 * @param memoryLimitBytes per pod
 * @param action what to do with it: {@code add} or {@code reset} (empty the cluster first)
 */
public record DeploymentPlan(
    String name,
    int podCount,
    long cpuRequestMilli,
    long cpuLimitMilli,
    long memoryRequestBytes,
    long memoryLimitBytes,
    Action action) {

  /** What a line asks for. */
  public enum Action {
    ADD,
    /** Delete every Deployment of the list so far, then add this one. */
    RESET
  }

  public DeploymentPlan {
    if (name.isEmpty() || podCount < 1 || cpuRequestMilli < 0 || memoryRequestBytes < 0) {
      throw new IllegalArgumentException(
          "Deployment '"
              + name
              + "' needs a name, at least one pod and requests that are not negative");
    }
  }
}
