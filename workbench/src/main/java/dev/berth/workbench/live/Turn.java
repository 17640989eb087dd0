package dev.berth.workbench.live;

/**
 * What one scheduler did with the workload.
 *
 * @param scheduler stock or berth
 * @param podsBound pods of the workload and of the nginx Deployment on nodes at the end
 * @param podsPending pods on no node at the end
 * @param cpuUsage spread of measured CPU over the worker nodes in the measured stretch
 * @param wholeTurnStd the same standard deviation over the whole turn but its first seconds
 * @param curve the standard deviation over nodes from the start on, every {@link #STEP_SECONDS}
 * @param cpuRequestStd spread of requested CPU over the worker nodes at the end, as a share of a
 *     node
 * @param late seconds by which it began later than planned in the usage model's day; where this is
 *     not 0, its pods did not have quite the usage of the other turn
 */
record Turn(
    String scheduler,
    int podsBound,
    int podsPending,
    NodeUsage.Spread cpuUsage,
    double wholeTurnStd,
    double[] curve,
    double cpuRequestStd,
    int late) {
  static final int STEP_SECONDS = 5;
}
