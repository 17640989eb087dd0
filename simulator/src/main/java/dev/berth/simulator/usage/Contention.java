package dev.berth.simulator.usage;

/**
 * What happens when pods want more than a node has.
 *
 * <ul>
 *   <li>CPU is shared in proportion: the node uses its capacity, the rest of the demand is
 *       throttled.
 *   <li>Latency follows the M/M/1 queue, {@code 4 ms / (1 - rho)}, up to rho = 0.9 and goes on
 *       along its tangent, since a real queue is bounded by timeouts.
 *   <li>Memory cannot be shared: the kubelet evicts.
 * </ul>
 */
public final class Contention {
  private static final double IDLE_LATENCY_MILLIS = 4;
  private static final double KNEE = 0.9;

  private Contention() {}

  /** Demand that the node cannot serve, as a fraction of its capacity. */
  public static double overload(double demandCores, double capacityCores) {
    return Math.max(0, demandCores - capacityCores) / capacityCores;
  }

  /** Request latency in milliseconds at this CPU demand. */
  public static double latencyMillis(double demandCores, double capacityCores) {
    double rho = demandCores / capacityCores;
    if (rho <= KNEE) {
      return IDLE_LATENCY_MILLIS / (1 - rho);
    }
    double slack = 1 - KNEE;
    return IDLE_LATENCY_MILLIS / slack + IDLE_LATENCY_MILLIS / (slack * slack) * (rho - KNEE);
  }
}
