package dev.berth.policy.reward;

import dev.berth.policy.cluster.LatencyLimits;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What became of the candidates of one decision, some minutes later. Entry i of every array is
 * candidate i; NaN is not known.
 *
 * @param limits of the pod and of those that ran there
 * @param cpuMilli capacities
 * @param power the same as a pod sees them, see {@link dev.berth.policy.predict.Forecast#power}
 * @param podCount pods on each candidate at the decision, without the one in question
 * @param load CPU usage measured since, without the pod and without what later binds brought, as a
 *     fraction of the node
 * @param expected what the load was expected to be; never NaN
 * @param podCores what the pod uses on a node of average speed
 * @param samples what else samples show
 */
public record Measurement(
    Limits limits,
    long[] cpuMilli,
    long[] power,
    int[] podCount,
    double[] load,
    double[] expected,
    double podCores,
    Samples samples) {

  /**
   * Latency limits at the decision.
   *
   * @param own the pod's
   * @param there how many pods with what limits ran on each candidate
   */
  public record Limits(LatencyLimits own, List<Map<LatencyLimits, Integer>> there) {

    /** Nobody with limits ran on {@code n} candidates. */
    public static Limits alone(LatencyLimits own, int n) {
      return new Limits(own, Collections.nCopies(n, Map.of()));
    }

    /** Of some candidates, in the order given. */
    public Limits of(int[] kept) {
      return new Limits(own, Arrays.stream(kept).mapToObj(there::get).toList());
    }

    boolean any() {
      return own.any() || there.stream().anyMatch(pods -> !pods.isEmpty());
    }
  }

  /**
   * What samples show beside CPU.
   *
   * @param connections TCP connections, without those of the pod and of later binds
   * @param podConnections what the pod is reckoned to have: the mean of a pod on the candidates
   * @param latencyMillis latency, with everything that was there
   * @param latencyLoad CPU usage at which that latency was measured, as a fraction of the node
   */
  public record Samples(
      double[] connections, double podConnections, double[] latencyMillis, double[] latencyLoad) {

    /** Nothing is known of {@code n} candidates. */
    public static Samples none(int n) {
      double[][] unknown = new double[3][n];
      for (double[] column : unknown) {
        Arrays.fill(column, Double.NaN);
      }
      return new Samples(unknown[0], 0, unknown[1], unknown[2]);
    }

    public Samples withPod(double newPodConnections) {
      return new Samples(connections, newPodConnections, latencyMillis, latencyLoad);
    }
  }

  /** CPU alone. */
  public static Measurement of(
      Limits limits,
      long[] cpuMilli,
      long[] power,
      int[] podCount,
      double[] load,
      double[] expected,
      double podCores) {
    return new Measurement(
        limits, cpuMilli, power, podCount, load, expected, podCores, Samples.none(load.length));
  }

  public Measurement with(Samples newSamples) {
    return new Measurement(limits, cpuMilli, power, podCount, load, expected, podCores, newSamples);
  }

  /** The load, and what was expected where it is not known: as if the node had kept to plan. */
  public double[] filledLoad() {
    double[] filled = load.clone();
    for (int i = 0; i < filled.length; i++) {
      filled[i] = Double.isNaN(filled[i]) ? expected[i] : filled[i];
    }
    return filled;
  }

  /** The pod's CPU as a fraction of a candidate. */
  public double share(int i) {
    return 1000 * podCores / power[i];
  }
}
