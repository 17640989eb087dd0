package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.PodClass;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one run measured. Curves have one entry per percent of arrived GPU demand, 0 first, each as
 * of the last pod with no more than that percent arrived.
 *
 * @param allocationPct allocated share of GPU capacity
 * @param fragmentationPct fragmented share of the idle GPU capacity
 * @param failedPods pods that fitted nowhere so far
 * @param seconds wall-clock seconds since the start of the run
 */
public record FillUpResult(
    String trace,
    String policy,
    long seed,
    double[] allocationPct,
    double[] fragmentationPct,
    int[] failedPods,
    double[] seconds,
    Map<PodClass, Integer> arrivedByClass,
    Map<PodClass, Integer> failedByClass,
    Map<Misfit, Integer> failedByReason) {

  public double finalAllocationPct() {
    return allocationPct[allocationPct.length - 1];
  }

  /** Allocation at a percent of arrived demand; the last point if the run ended before. */
  public double allocationAt(int percent) {
    return allocationPct[Math.min(percent, allocationPct.length - 1)];
  }

  public double finalSeconds() {
    return seconds[seconds.length - 1];
  }

  /** Failed share of a class, 0..1; 0 if none arrived. */
  public double failureRate(PodClass podClass) {
    int arrived = arrivedByClass.getOrDefault(podClass, 0);
    return arrived == 0 ? 0 : (double) failedByClass.getOrDefault(podClass, 0) / arrived;
  }

  /** Gathers a result as the run goes. */
  static final class Recorder {
    private final FillUpResult result;
    private final long capacityMilli;
    private final long start = System.nanoTime();
    private long arrivedMilli;
    private long allocatedMilli;
    private double fragmentMilli;
    private int failed;
    private int next;

    Recorder(String trace, String policy, long seed, double demand, long capacityMilli) {
      int points = (int) Math.round(100 * demand) + 1;
      this.capacityMilli = capacityMilli;
      this.result =
          new FillUpResult(
              trace,
              policy,
              seed,
              new double[points],
              new double[points],
              new int[points],
              new double[points],
              new EnumMap<>(PodClass.class),
              new EnumMap<>(PodClass.class),
              new EnumMap<>(Misfit.class));
    }

    void placed(PodRequests pod, double fragmentMilli) {
      arrived(pod);
      allocatedMilli += pod.gpu().totalMilli();
      this.fragmentMilli = fragmentMilli;
    }

    void failed(PodRequests pod, Misfit reason, double fragmentMilli) {
      arrived(pod);
      failed++;
      this.fragmentMilli = fragmentMilli;
      result.failedByClass.merge(PodClass.of(pod.gpu()), 1, Integer::sum);
      result.failedByReason.merge(reason, 1, Integer::sum);
    }

    private void arrived(PodRequests pod) {
      arrivedMilli += pod.gpu().totalMilli();
      // The last point is the end of the run, even if the last pod carries demand a little beyond
      // it.
      closeBelow(Math.min(100.0 * arrivedMilli / capacityMilli, result.seconds.length - 1));
      result.arrivedByClass.merge(PodClass.of(pod.gpu()), 1, Integer::sum);
    }

    /** Closes every point that the pod now arriving lies beyond. */
    private void closeBelow(double arrivedPct) {
      while (next < result.seconds.length && next < arrivedPct) {
        long idle = capacityMilli - allocatedMilli;
        result.allocationPct[next] = 100.0 * allocatedMilli / capacityMilli;
        result.fragmentationPct[next] = idle == 0 ? 0 : 100.0 * fragmentMilli / idle;
        result.failedPods[next] = failed;
        result.seconds[next] = (System.nanoTime() - start) / 1e9;
        next++;
      }
    }

    FillUpResult result() {
      closeBelow(Double.POSITIVE_INFINITY);
      return result;
    }
  }
}
