package dev.berth.simulator.scenario;

import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.List;

/**
 * Everything a run depends on besides seed and policy.
 *
 * @param name kebab-case; the file's name without {@code .yaml}
 * @param seenInTraining whether shipped models were trained on it (folder {@code train/})
 * @param durationSeconds length of a run
 * @param warmupSeconds beginning of a run that metrics do not count
 * @param seeds seeds to run when the command line names none
 * @param timeouts share of decisions that miss their deadline for every other pod that is asked for
 *     in the same tick, 0..1: the more at once, the more go to the stock profile
 * @param independent whether its owners and arrivals are its own; without it scenarios of one seed
 *     meet the same owners under the same names
 * @param percentageOfNodesToScore as in KubeSchedulerConfiguration; 0 adapts to the cluster size
 */
public record Scenario(
    String name,
    String description,
    boolean seenInTraining,
    double durationSeconds,
    double warmupSeconds,
    Seeds seeds,
    List<NodeGroup> nodes,
    WorkloadSpec workload,
    UsageParameters usage,
    MetricsSpec metrics,
    OutcomeSpec outcomes,
    double timeouts,
    List<Fault> faults,
    boolean independent,
    int percentageOfNodesToScore) {

  public Scenario {
    nodes = List.copyOf(nodes);
    faults = List.copyOf(faults);
    if (!(durationSeconds > 0) || !(warmupSeconds >= 0) || warmupSeconds >= durationSeconds) {
      throw new IllegalArgumentException(
          "need 0 <= warmup < duration, got warmup "
              + warmupSeconds
              + " s, duration "
              + durationSeconds
              + " s");
    }
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a scenario needs at least one node group");
    }
    if (!(timeouts >= 0 && timeouts <= 1)) {
      throw new IllegalArgumentException("timeouts must be a share, 0..100 %, got " + timeouts);
    }
    if (percentageOfNodesToScore < 0 || percentageOfNodesToScore > 100) {
      throw new IllegalArgumentException("percentage_of_nodes_to_score must be 0..100");
    }
  }

  /** A scenario from parts, three hours long, for tests and for training that draws scenarios. */
  public static Scenario of(
      String name,
      List<NodeGroup> nodes,
      WorkloadSpec workload,
      UsageParameters usage,
      MetricsSpec metrics) {
    return new Scenario(
        name,
        "",
        true,
        10_800,
        2400,
        Seeds.DEFAULT,
        nodes,
        workload,
        usage,
        metrics,
        OutcomeSpec.AT_ONCE,
        0,
        List.of(),
        false,
        0);
  }

  /** The seed that everything of a run is drawn from. */
  public long stream(long seed) {
    return independent ? Draws.hash(seed, "scenario/" + name) : seed;
  }

  /** Whether some decisions may miss their deadline, so that a run needs the stock profile. */
  public boolean needsFallback() {
    return timeouts > 0 || faults.stream().anyMatch(f -> f.kind() == Fault.Kind.SERVICE_SLOW);
  }

  public Scenario withOutcomes(OutcomeSpec newOutcomes, double newTimeouts) {
    return new Scenario(
        name,
        description,
        seenInTraining,
        durationSeconds,
        warmupSeconds,
        seeds,
        nodes,
        workload,
        usage,
        metrics,
        newOutcomes,
        newTimeouts,
        faults,
        independent,
        percentageOfNodesToScore);
  }

  public Scenario withDuration(double duration, double warmup) {
    return new Scenario(
        name,
        description,
        seenInTraining,
        duration,
        warmup,
        seeds,
        nodes,
        workload,
        usage,
        metrics,
        outcomes,
        timeouts,
        faults,
        independent,
        percentageOfNodesToScore);
  }

  public Scenario withNodes(List<NodeGroup> newNodes) {
    return new Scenario(
        name,
        description,
        seenInTraining,
        durationSeconds,
        warmupSeconds,
        seeds,
        newNodes,
        workload,
        usage,
        metrics,
        outcomes,
        timeouts,
        faults,
        independent,
        percentageOfNodesToScore);
  }

  public Scenario withFaults(List<Fault> newFaults) {
    return new Scenario(
        name,
        description,
        seenInTraining,
        durationSeconds,
        warmupSeconds,
        seeds,
        nodes,
        workload,
        usage,
        metrics,
        outcomes,
        timeouts,
        newFaults,
        independent,
        percentageOfNodesToScore);
  }
}
