package dev.berth.policy.state;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.usage.UsageConfig;

/**
 * What is known of each candidate now; entry i of every array is candidate i. Values that are not
 * known are NaN.
 *
 * @param state trust in the last sample
 * @param sampleAge seconds since the end of the last sample's window
 * @param cpu CPU of the last sample, cores
 * @param meanCpu mean CPU of the last five minutes, cores
 * @param trendCpu its trend, cores per minute
 * @param slowness CPU that a pod takes there, against a node of average speed
 * @param meanError CPU that samples showed beyond what was expected of them, mean of the last ten
 *     minutes or so, as a fraction of the node
 * @param memory memory of the last sample, bytes
 * @param connections established TCP connections
 * @param latency measured latency, milliseconds
 */
public record NodeColumns(
    SampleState[] state,
    double[] sampleAge,
    double[] cpu,
    double[] meanCpu,
    double[] trendCpu,
    double[] slowness,
    double[] meanError,
    double[] memory,
    double[] connections,
    double[] latency) {

  NodeColumns(int n) {
    this(
        new SampleState[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n],
        new double[n]);
  }

  /** Fills in what a node's own state knows. */
  void set(int i, NodeState node, double now, UsageConfig config) {
    state[i] = node.state(now, config);
    meanCpu[i] = node.meanCpu;
    trendCpu[i] = node.trendCpu;
    slowness[i] = node.wholeSlowness();
    meanError[i] = node.meanError;
    NodeSample s = node.last;
    if (s == null) {
      for (double[] column : new double[][] {sampleAge, cpu, memory, connections, latency}) {
        column[i] = Double.NaN;
      }
    } else {
      sampleAge[i] = now - s.windowEnd();
      cpu[i] = s.cpuCores();
      memory[i] = s.memoryBytes();
      connections[i] = s.connections();
      latency[i] = s.latencyMillis();
    }
  }
}
