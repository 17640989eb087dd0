package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;

/**
 * What the value alone does not see. Final idle is the same whether a whole node went to one big
 * pod or to eight small ones, and whether a rare card went to a pod that insists on it or to one
 * that takes any; so a policy of values alone ends well while it starves big and choosy pods on the
 * way (openb gpuspec33: 7 points below FGD at 90 % of demand; cpu250: 8-GPU failures 8 points
 * above). Two prices mend that, in GPUs.
 *
 * @param typed price of taking one GPU of a model, per unit of {@link WorkloadProfile#pressure}:
 *     higher keeps rare models for the pods that insist on them
 * @param bigPods price of taking away a place of scarcity 1 ({@link BigPodRoom#lost}): higher
 *     breaks whole nodes later, those first that few others can replace
 */
public record Prices(double typed, double bigPods) {
  public static final Prices NONE = new Prices(0, 0);

  /**
   * With departures room for big pods is worth more than anything a value says: cards that stay
   * idle come back, a broken node takes hours to become whole (docs/gpu.md).
   */
  public static final double BIG_PODS_WITH_DEPARTURES = 100;

  /** What a pod pays on a node, GPUs. */
  public double of(PodRequests pod, GpuNode node, WorkloadProfile workload) {
    double gpus = pod.gpu().totalMilli() / (double) GpuRequest.CARD_MILLI;
    return typed * workload.pressure(node.model()) * gpus
        + bigPods * workload.bigPodRoom().lost(pod, node);
  }
}
