package dev.berth.simulator.workload;

import dev.berth.simulator.workload.DeploymentGenerator.Sizes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What arrives.
 *
 * @param kind shape over time
 * @param load share of the initial nodes' CPU that is requested, 0..1
 * @param minReplicas smallest scale-up of an owner
 * @param maxReplicas largest scale-up
 * @param cpuMilli CPU requests an owner may have
 * @param memoryPerCoreMin least memory request per requested core, bytes
 * @param memoryPerCoreMax most
 * @param newOwners share of scale-ups that bring an owner never seen before
 * @param latencyShare share of owners with latency limits on their pods (priority P0)
 * @param selectorShare share of owners that ask for nodes labelled {@code pool=special}
 * @param sizes pod sizes of the {@code deployments} workload
 * @param resets how often {@code deployments} empties the cluster
 * @param rhythm when the Deployments of {@code deployments} arrive
 * @param arrivals what {@code recorded} plays; null for the others
 */
public record WorkloadSpec(
    Kind kind,
    double load,
    int minReplicas,
    int maxReplicas,
    List<Long> cpuMilli,
    double memoryPerCoreMin,
    double memoryPerCoreMax,
    double newOwners,
    double latencyShare,
    double selectorShare,
    Sizes sizes,
    int resets,
    Rhythm rhythm,
    @Nullable Arrivals arrivals) {

  /** Shape of the requested load over time. */
  public enum Kind {
    /** Ends are replaced as they happen: the requested load stays at its target. */
    STEADY,
    /** The requested load swings by 30 % with the day. */
    DIURNAL,
    /**
     * A quiet hour at 40 % of the target, then all the rest within three minutes, every two hours.
     */
    BURST,
    /** A steady half, and every 20 minutes a wave of short jobs for the other half. */
    BATCH,
    /** Steady, and every 5 minutes one owner is rolled: all its pods are replaced at once. */
    CHURN,
    /** The AAML experiment: Deployments until the load target, then the cluster is emptied. */
    DEPLOYMENTS,
    /** Arrivals and lifetimes that were recorded, thinned until their mean is the target. */
    RECORDED
  }

  public static final double GIB = 1L << 30;

  public WorkloadSpec {
    cpuMilli = List.copyOf(cpuMilli);
    if (!(load > 0 && load <= 1)) {
      throw new IllegalArgumentException(
          "load must be above 0 and at most 100 %, got " + load * 100 + " %");
    }
    if (minReplicas < 1 || maxReplicas < minReplicas) {
      throw new IllegalArgumentException(
          "replicas need 1 <= min <= max, got " + minReplicas + ".." + maxReplicas);
    }
    if ((kind == Kind.RECORDED) != (arrivals != null)) {
      throw new IllegalArgumentException(
          "kind recorded and arrivals belong together: write both or neither");
    }
    if (cpuMilli.isEmpty() || resets < 0) {
      throw new IllegalArgumentException("cpu needs at least one size, resets must be >= 0");
    }
  }

  /** Arrivals that were recorded, at this load. */
  public static WorkloadSpec recorded(double load, Arrivals arrivals) {
    WorkloadSpec d = of(Kind.STEADY, load);
    return new WorkloadSpec(
        Kind.RECORDED,
        load,
        d.minReplicas,
        d.maxReplicas,
        d.cpuMilli,
        d.memoryPerCoreMin,
        d.memoryPerCoreMax,
        d.newOwners,
        d.latencyShare,
        d.selectorShare,
        d.sizes,
        d.resets,
        d.rhythm,
        arrivals);
  }

  /** The given shape and load, everything else as documented defaults. */
  public static WorkloadSpec of(Kind kind, double load) {
    return new WorkloadSpec(
        kind,
        load,
        kind == Kind.DEPLOYMENTS ? 5 : 1,
        15,
        List.of(250L, 500L, 1000L, 2000L, 4000L),
        GIB,
        3 * GIB,
        0.15,
        0,
        0,
        Sizes.STANDARD,
        1,
        Rhythm.DEFAULT,
        null);
  }
}
