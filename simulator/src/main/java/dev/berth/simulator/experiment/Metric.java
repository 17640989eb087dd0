package dev.berth.simulator.experiment;

import java.util.Locale;

/** What a run is measured by; lower is better for all but the load carried. */
public enum Metric {
  /** Share of node-time with CPU demand above {@value RunMetrics#HOT} of capacity. */
  HOT_NODE_SHARE,
  /**
   * 99th percentile of request latency over the whole run, milliseconds; every pod takes as many
   * requests as any other ({@link LatencyTail}).
   */
  P99_LATENCY_MILLIS,
  /** Share of the CPU wanted that nodes could not give. */
  THROTTLED_CPU,
  /** Pods evicted for lack of memory. */
  EVICTIONS,
  /** Time-averaged number of pods that no node can take. */
  PODS_PENDING,
  /**
   * usage_cpu_std + 10 x time-averaged mean overload (demand above capacity / capacity): the
   * policy's own objective, a diagnostic.
   */
  COST,
  /**
   * Variance over nodes of requested / allocatable CPU, at the end of an epoch (mean of epochs).
   */
  REQUEST_CPU_VARIANCE,
  /** Time-averaged standard deviation over nodes of true CPU usage / capacity. */
  USAGE_CPU_STD,
  /** Core-seconds of demand above capacity, over all nodes. */
  OVERLOAD_INTEGRAL,
  /** Highest CPU demand / capacity of any node at any time. */
  PEAK_NODE_CPU,
  /** Time-averaged requested CPU of the pods that run / allocatable CPU: the load carried. */
  CARRIED_LOAD,
  /** Time-averaged number of nodes with at least one pod. */
  NODES_USED,
  /**
   * Time-averaged power of the nodes with at least one pod, in units of the mean node's peak: sum
   * of size x {@link dev.berth.policy.reward.ServerPower} of true usage; ten idle nodes draw 5.
   */
  POWER,
  /**
   * Time-averaged distance between two pods of one owner: 0 on one node, thirds for another node,
   * another rack, another zone. NaN in a scenario without racks.
   */
  OWNER_DISTANCE,
  /** Time-averaged standard deviation over nodes of TCP connections. */
  CONNECTIONS_STD,
  /** Time-averaged latency that pods see, milliseconds. */
  LATENCY_MILLIS,
  /** Share of P0 pod-time above the pod's soft latency limit. */
  SOFT_LIMIT_MISSED,
  /** The same for the hard limit. */
  HARD_LIMIT_MISSED;

  /** Name as it stands in CSV files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
