package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Pods with how long they live, compressed: as recorded, but no longer than a cap. Lifetimes of the
 * trace span seven orders of magnitude (median 9 minutes, longest 145 days); a cap makes a
 * sustained load settle within a simulated day instead of a year. Pods without times borrow a
 * recorded one.
 */
public final class Lifetimes {
  private final List<PodRequests> shapes = new ArrayList<>();
  private final List<Double> seconds = new ArrayList<>();
  private final double meanGpuSeconds;

  /**
   * Reads the lifetimes of a trace.
   *
   * @param cap longest lifetime, seconds
   */
  public Lifetimes(GpuTrace trace, double cap, RandomGenerator random) {
    List<Double> recorded = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      if (lifetime(pod) > 0) {
        recorded.add(Math.min(cap, lifetime(pod)));
      }
    }
    if (recorded.isEmpty()) {
      throw new IllegalArgumentException(
          "trace "
              + trace.name()
              + " has no lifetimes: a run with departures needs scheduled_time and deletion_time");
    }
    double gpuSeconds = 0;
    for (PodRow pod : trace.pods()) {
      double life = lifetime(pod);
      shapes.add(pod.shape());
      seconds.add(life > 0 ? Math.min(cap, life) : recorded.get(random.nextInt(recorded.size())));
      gpuSeconds += pod.shape().gpu().totalMilli() / 1000.0 * seconds.get(seconds.size() - 1);
    }
    meanGpuSeconds = gpuSeconds / shapes.size();
  }

  private static double lifetime(PodRow pod) {
    return pod.deletedAt() - pod.scheduledAt();
  }

  /**
   * Mean of GPUs times seconds over the pods: arrivals per second times this is the offered load.
   */
  public double meanGpuSeconds() {
    return meanGpuSeconds;
  }

  int size() {
    return shapes.size();
  }

  PodRequests shape(int pod) {
    return shapes.get(pod);
  }

  double seconds(int pod) {
    return seconds.get(pod);
  }
}
