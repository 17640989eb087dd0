package dev.berth.simulator.workload;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.usage.Lifetime;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.workload.WorkloadEvent.DeleteOwner;
import dev.berth.simulator.workload.WorkloadEvent.Reset;
import dev.berth.simulator.workload.WorkloadEvent.Submit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Draws everything that will arrive before the run starts. Lifetimes are known here, so the
 * requested load can be steered to its target without looking at any placement: owners scale up by
 * 1-15 replicas whenever what is alive falls below the target of the moment.
 */
public final class WorkloadGenerator {
  /** The cluster fills up over the first ten minutes. */
  private static final double FILL_SECONDS = 600;

  private static final double STEP_SECONDS = 10;
  private static final double RESET_PAUSE_SECONDS = 10;
  private static final double WAVE_EVERY_SECONDS = 1200;
  private static final double ROLL_EVERY_SECONDS = 300;
  private static final double BURST_CYCLE_SECONDS = 7200;
  private static final double BURST_RISE_SECONDS = 150;

  private final WorkloadSpec spec;
  private final UsageModel usage;
  private final long seed;
  private final double capacityMilli;
  private final SplittableRandom random;
  private final List<WorkloadEvent> events = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>();
  private final List<Owner> jobs = new ArrayList<>();
  private final PriorityQueue<Alive> alive =
      new PriorityQueue<>(Comparator.comparingDouble(Alive::end).thenComparing(Alive::serial));

  private double requestedMilli;
  private int serial;

  private record Owner(String key, long cpuMilli, long memoryBytes, boolean p0, boolean special) {}

  private record Alive(double end, int serial, Owner owner) {}

  private record ScaleUp(Owner owner, int replicas) {}

  private WorkloadGenerator(WorkloadSpec spec, UsageModel usage, long seed, double capacityMilli) {
    this.spec = spec;
    this.usage = usage;
    this.seed = seed;
    this.capacityMilli = capacityMilli;
    this.random = Draws.stream(seed, "workload");
  }

  /**
   * The events of a run in time order.
   *
   * @param capacityMilli CPU of the nodes that take pods, in milli-cores
   * @param memoryBytes their memory
   * @param podLimit their pods
   */
  public static List<WorkloadEvent> generate(
      WorkloadSpec spec,
      UsageModel usage,
      long seed,
      long capacityMilli,
      long memoryBytes,
      long podLimit,
      double durationSeconds) {
    if (spec.kind() == WorkloadSpec.Kind.DEPLOYMENTS) {
      return events(deployments(spec, seed, capacityMilli, memoryBytes, podLimit), spec.rhythm());
    }
    var generator = new WorkloadGenerator(spec, usage, seed, capacityMilli);
    generator.stream(durationSeconds);
    return List.copyOf(generator.events);
  }

  /** The list of Deployments that {@code deployments} draws; arguments as above. */
  public static List<DeploymentPlan> deployments(
      WorkloadSpec spec, long seed, long capacityMilli, long memoryBytes, long podLimit) {
    return DeploymentGenerator.generate(
        seed,
        new DeploymentGenerator.Options(
            capacityMilli,
            memoryBytes,
            podLimit,
            spec.load(),
            spec.load(),
            spec.load(),
            spec.sizes(),
            spec.minReplicas(),
            spec.maxReplicas(),
            spec.resets()));
  }

  /** A list of Deployments as events, in the simulator's own namespace. */
  public static List<WorkloadEvent> events(List<DeploymentPlan> plans, Rhythm rhythm) {
    return events(plans, rhythm, "default");
  }

  /**
   * A list of Deployments as events. Pods are named by owner and ordinal ({@link
   * UsageModel#podKey}), so a list has the same usage wherever it is played.
   */
  public static List<WorkloadEvent> events(
      List<DeploymentPlan> plans, Rhythm rhythm, String namespace) {
    List<WorkloadEvent> events = new ArrayList<>();
    Map<String, Integer> podsOf = new HashMap<>();
    double t = 0;
    for (int i = 0; i < plans.size(); i++) {
      DeploymentPlan plan = plans.get(i);
      if (plan.action() == DeploymentPlan.Action.RESET) {
        events.add(new Reset(t));
        t += RESET_PAUSE_SECONDS;
      }
      String owner = namespace + "/Deployment/" + plan.name();
      List<PodSpec> replicas = new ArrayList<>();
      for (int k = 0; k < plan.podCount(); k++) {
        int ordinal = podsOf.merge(owner, 1, Integer::sum) - 1; // a name may come again
        Pod pod =
            Pod.of(
                UsageModel.podKey(owner, ordinal),
                owner,
                plan.cpuRequestMilli(),
                plan.memoryRequestBytes());
        replicas.add(
            new PodSpec(pod, plan.cpuLimitMilli(), Map.of(), Set.of(), Double.POSITIVE_INFINITY));
      }
      events.add(new Submit(t, replicas));
      t += rhythm.gap(i, plans.size());
    }
    return events;
  }

  private void stream(double duration) {
    ScaleUp next = draw(0);
    double nextWave = WAVE_EVERY_SECONDS;
    double nextRoll = FILL_SECONDS + ROLL_EVERY_SECONDS;
    for (double t = 0; t < duration; t += STEP_SECONDS) {
      while (!alive.isEmpty() && alive.peek().end() <= t) {
        requestedMilli -= alive.poll().owner().cpuMilli();
      }
      // Half a scale-up may overshoot: then the mean over time is the target, whatever its size.
      while (requestedMilli + 0.5 * next.replicas() * next.owner().cpuMilli()
          <= target(t) * capacityMilli) {
        submit(t, next);
        next = draw(t);
      }
      if (spec.kind() == WorkloadSpec.Kind.BATCH && t >= nextWave) {
        wave(t);
        nextWave += WAVE_EVERY_SECONDS;
      }
      if (spec.kind() == WorkloadSpec.Kind.CHURN && t >= nextRoll) {
        roll(t);
        nextRoll += ROLL_EVERY_SECONDS;
      }
    }
  }

  /** Share of capacity that should be requested at {@code t}. */
  private double target(double t) {
    double shape =
        switch (spec.kind()) {
          case STEADY, CHURN, DEPLOYMENTS -> 1;
          case DIURNAL ->
              1 + 0.3 * Math.sin(2 * Math.PI * t / usage.parameters().daySeconds() - Math.PI / 2);
          case BURST -> burst(t % BURST_CYCLE_SECONDS);
          case BATCH -> 0.5;
        };
    return Math.min(0.95, spec.load() * shape) * Math.min(1, (t + STEP_SECONDS) / FILL_SECONDS);
  }

  private static double burst(double inCycle) {
    double quiet = BURST_CYCLE_SECONDS / 2;
    if (inCycle < quiet) {
      return 0.4;
    }
    return Math.min(1, 0.4 + 0.6 * (inCycle - quiet) / BURST_RISE_SECONDS);
  }

  private ScaleUp draw(double t) {
    return draw(owners, "default/Deployment/app-", t < FILL_SECONDS ? 0.5 : spec.newOwners());
  }

  private ScaleUp draw(List<Owner> known, String prefix, double fresh) {
    Owner owner;
    if (known.isEmpty() || random.nextDouble() < fresh) {
      owner = newOwner(prefix + known.size());
      known.add(owner);
    } else {
      owner = known.get(random.nextInt(known.size()));
    }
    return new ScaleUp(owner, random.nextInt(spec.minReplicas(), spec.maxReplicas() + 1));
  }

  private Owner newOwner(String key) {
    SplittableRandom own = Draws.stream(seed, "spec/" + key);
    long cpu = spec.cpuMilli().get(own.nextInt(spec.cpuMilli().size()));
    double perCore =
        spec.memoryPerCoreMin()
            + (spec.memoryPerCoreMax() - spec.memoryPerCoreMin()) * own.nextDouble();
    boolean p0 = own.nextDouble() < spec.latencyShare();
    boolean special = own.nextDouble() < spec.selectorShare();
    return new Owner(key, cpu, Math.round(cpu / 1000.0 * perCore), p0, special);
  }

  private void submit(double t, ScaleUp up) {
    Lifetime law = usage.parameters().lifetimeOf(up.owner().key());
    double mean = usage.owner(up.owner().key()).meanLifetime();
    List<PodSpec> pods = new ArrayList<>(up.replicas());
    for (int i = 0; i < up.replicas(); i++) {
      String uid = "pod-" + serial++;
      double life = law.draw(mean, Draws.stream(seed, "life/" + uid));
      PodSpec pod = podSpec(uid, up.owner(), life);
      pods.add(pod);
      alive.add(new Alive(t + usage.startDelay(pod.pod()) + life, serial, up.owner()));
      requestedMilli += up.owner().cpuMilli();
    }
    events.add(new Submit(t, pods));
  }

  private PodSpec podSpec(String uid, Owner owner, double life) {
    Pod pod =
        new Pod(
            uid,
            uid,
            "default",
            owner.key(),
            owner.p0() ? 1000 : 0,
            owner.cpuMilli(),
            owner.memoryBytes(),
            GpuRequest.NONE,
            owner.p0() ? new LatencyLimits(12, 30) : LatencyLimits.NONE);
    return new PodSpec(
        pod, 0, owner.special() ? Map.of("pool", "special") : Map.of(), Set.of(), life);
  }

  private void wave(double t) {
    double goal = requestedMilli + 0.5 * spec.load() * capacityMilli;
    while (requestedMilli < goal) {
      submit(t, draw(jobs, "batch/Job/job-", 0.3));
    }
  }

  private void roll(double t) {
    List<Alive> all = new ArrayList<>(alive);
    if (all.isEmpty()) {
      return;
    }
    all.sort(Comparator.comparingInt(Alive::serial));
    Owner owner = all.get(random.nextInt(all.size())).owner();
    List<Alive> mine = all.stream().filter(a -> a.owner().equals(owner)).toList();
    alive.removeAll(Set.copyOf(mine));
    requestedMilli -= (double) mine.size() * owner.cpuMilli();
    events.add(new DeleteOwner(t, owner.key()));
    submit(t, new ScaleUp(owner, mine.size()));
  }
}
