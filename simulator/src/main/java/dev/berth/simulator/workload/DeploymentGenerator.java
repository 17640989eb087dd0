package dev.berth.simulator.workload;

import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The AAML workload: Deployments of 5-15 replicas are added until the cluster's requested CPU,
 * memory or pod count reaches its target, then everything is deleted and a new epoch begins. Pods
 * never finish by themselves.
 *
 * <p>Source: acsheller/AAML {@code workload_deployment_simulator.py}, with a seed, which it lacks.
 */
public final class DeploymentGenerator {
  private static final long GIB = 1L << 30;
  private static final long[] MIXED_CPU = {100, 250, 500, 1000, 1500, 2000, 2500, 3500};
  private static final long[] MIXED_MEMORY = {GIB / 4, GIB / 2, GIB, 2 * GIB, 4 * GIB, 8 * GIB};

  private DeploymentGenerator() {}

  /** Sizes of pods. */
  public enum Sizes {
    /** Every pod asks for 1000m and 2 GiB. */
    STANDARD,
    /** 100m-3500m and 256 MiB-8 GiB, one size per Deployment. */
    MIXED
  }

  /**
   * When to stop and what to add.
   *
   * @param cpuMilli allocatable CPU of all worker nodes together
   * @param memoryBytes allocatable memory of all worker nodes
   * @param pods pod limit of all worker nodes
   * @param cpuLoad target share of CPU requested, 0..1; an epoch ends when any target is reached
   * @param memoryLoad the same for memory
   * @param podLoad the same for the number of pods
   * @param resets how many times the cluster is emptied: a run has {@code resets + 1} epochs
   */
  public record Options(
      long cpuMilli,
      long memoryBytes,
      long pods,
      double cpuLoad,
      double memoryLoad,
      double podLoad,
      Sizes sizes,
      int minReplicas,
      int maxReplicas,
      int resets) {

    public Options {
      for (double load : new double[] {cpuLoad, memoryLoad, podLoad}) {
        if (!(load > 0 && load <= 1)) {
          throw new IllegalArgumentException(
              "a load target is a share of capacity above 0 and up to 1 (0.2 is 20 %), got "
                  + load);
        }
      }
      if (minReplicas < 1 || maxReplicas < minReplicas || resets < 0) {
        throw new IllegalArgumentException(
            "need 1 <= min replicas <= max replicas and resets >= 0, got "
                + minReplicas
                + ", "
                + maxReplicas
                + ", "
                + resets);
      }
    }

    /** The experiment as published: 20 % load, 5-15 replicas, two epochs. */
    public static Options standard(long cpuMilli, long memoryBytes, long pods) {
      return new Options(cpuMilli, memoryBytes, pods, 0.2, 0.2, 0.2, Sizes.STANDARD, 5, 15, 1);
    }
  }

  /** Draws the whole list. The first Deployment of every epoch but the first carries RESET. */
  public static List<DeploymentPlan> generate(long seed, Options o) {
    SplittableRandom random = Draws.stream(seed, "deployments");
    Set<String> names = new HashSet<>();
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int epoch = 0; epoch <= o.resets(); epoch++) {
      long cpu = 0;
      long memory = 0;
      long pods = 0;
      boolean first = true;
      while (cpu < o.cpuLoad() * o.cpuMilli()
          && memory < o.memoryLoad() * o.memoryBytes()
          && pods < o.podLoad() * o.pods()) {
        int replicas = random.nextInt(o.minReplicas(), o.maxReplicas() + 1);
        boolean mixed = o.sizes() == Sizes.MIXED;
        long milli = mixed ? MIXED_CPU[random.nextInt(MIXED_CPU.length)] : 1000;
        long bytes = mixed ? MIXED_MEMORY[random.nextInt(MIXED_MEMORY.length)] : 2 * GIB;
        Action action = first && epoch > 0 ? Action.RESET : Action.ADD;
        plans.add(
            new DeploymentPlan(name(random, names), replicas, milli, milli, bytes, bytes, action));
        first = false;
        cpu += replicas * milli;
        memory += replicas * bytes;
        pods += replicas;
      }
    }
    return plans;
  }

  private static String name(SplittableRandom random, Set<String> taken) {
    String base =
        ADJECTIVES[random.nextInt(ADJECTIVES.length)] + "-" + NOUNS[random.nextInt(NOUNS.length)];
    String name = base;
    for (int i = 2; !taken.add(name); i++) {
      name = base + "-" + i;
    }
    return name;
  }

  private static final String[] ADJECTIVES = {
    "amber", "brave", "calm", "dapper", "eager", "fair", "gentle", "hardy", "ivory", "jolly",
    "keen", "lively", "mellow", "nimble", "open", "proud", "quiet", "rapid", "steady", "tidy",
    "upbeat", "vivid", "warm", "young"
  };

  private static final String[] NOUNS = {
    "anchor", "beacon", "canal", "dock", "estuary", "ferry", "gull", "harbour", "inlet", "jetty",
    "keel", "lagoon", "mast", "narrows", "oar", "pier", "quay", "rudder", "sail", "tide",
    "upwell", "vessel", "wharf", "yawl"
  };
}
