package dev.berth.simulator.workload;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.usage.Lifetime;
import dev.berth.simulator.usage.RecordedWorld;
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
import org.jspecify.annotations.Nullable;

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
  private final @Nullable RecordedPool pool;
  private final List<WorkloadEvent> events = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>();
  private final List<Owner> jobs = new ArrayList<>();
  private final PriorityQueue<Alive> alive =
      new PriorityQueue<>(Comparator.comparingDouble(Alive::end).thenComparing(Alive::serial));

  private double requestedMilli;
  private int serial;

  private record Owner(String key, long cpuMilli, long memoryBytes, boolean p0, boolean special) {}

  private record Alive(double end, int serial, Owner owner, int ordinal, long cpuMilli) {}

  private record ScaleUp(Owner owner, int replicas) {}

  private WorkloadGenerator(WorkloadSpec spec, UsageModel usage, long seed, double capacityMilli) {
    this.spec = spec;
    this.usage = usage;
    this.seed = seed;
    this.capacityMilli = capacityMilli;
    this.random = Draws.stream(seed, "workload");
    RecordedWorld recorded = usage.recorded();
    this.pool = recorded == null ? null : new RecordedPool(recorded);
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
        end(alive.poll());
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
          case STEADY, CHURN, DEPLOYMENTS, RECORDED -> 1;
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
    return draw(owners, "default/Deployment/", "app-", t < FILL_SECONDS ? 0.5 : spec.newOwners());
  }

  private ScaleUp draw(List<Owner> known, String kind, String prefix, double fresh) {
    Owner owner;
    List<Owner> able = pool == null ? known : able(pool, known);
    boolean more = pool == null || known.size() < pool.owners();
    if (more && (able.isEmpty() || random.nextDouble() < fresh)) {
      int index = known.size();
      owner = newOwner(kind + (pool == null ? prefix + index : pool.owner(index)));
      known.add(owner);
    } else if (able.isEmpty()) {
      throw new IllegalArgumentException(
          "every recorded pod runs, and the load is still below %.0f %%: use fewer or smaller nodes, a lower load, or a longer history"
              .formatted(100 * spec.load()));
    } else {
      owner = able.get(random.nextInt(able.size()));
    }
    int replicas = random.nextInt(spec.minReplicas(), spec.maxReplicas() + 1);
    return new ScaleUp(owner, pool == null ? replicas : Math.min(replicas, pool.free(owner.key())));
  }

  /** Those of whom another pod may live. */
  private static List<Owner> able(RecordedPool pool, List<Owner> known) {
    return known.stream().filter(o -> pool.free(o.key()) > 0).toList();
  }

  private Owner newOwner(String key) {
    SplittableRandom own = Draws.stream(seed, "spec/" + key);
    long cpu = spec.cpuMilli().get(own.nextInt(spec.cpuMilli().size()));
    double perCore =
        spec.memoryPerCoreMin()
            + (spec.memoryPerCoreMax() - spec.memoryPerCoreMin()) * own.nextDouble();
    boolean p0 = own.nextDouble() < spec.latencyShare();
    boolean special = own.nextDouble() < spec.selectorShare();
    long memory = Math.round(cpu / 1000.0 * perCore);
    if (pool != null) {
      RecordedWorld.Pod first = pool.pod(key, 0);
      cpu = first.cpuMilli();
      memory = memory(first, cpu / 1000.0 * perCore);
    }
    return new Owner(key, cpu, memory, p0, special);
  }

  private void submit(double t, ScaleUp up) {
    Lifetime law = usage.parameters().lifetimeOf(up.owner().key());
    double mean = usage.owner(up.owner().key()).meanLifetime();
    List<PodSpec> pods = new ArrayList<>(up.replicas());
    for (int i = 0; i < up.replicas(); i++) {
      Owner owner = up.owner();
      int ordinal = pool == null ? serial : pool.take(owner.key());
      String uid = pool == null ? "pod-" + serial : UsageModel.podKey(owner.key(), ordinal);
      serial++;
      double life = law.draw(mean, Draws.stream(seed, "life/" + uid));
      PodSpec spec = podSpec(uid, sized(owner, ordinal), life);
      pods.add(spec);
      double end = t + usage.startDelay(spec.pod()) + life;
      alive.add(new Alive(end, serial, owner, ordinal, spec.pod().cpuMilli()));
      requestedMilli += spec.pod().cpuMilli();
    }
    events.add(new Submit(t, pods));
  }

  /** The owner with the requests of one of its pods; recorded ones may differ. */
  private Owner sized(Owner o, int ordinal) {
    if (pool == null) {
      return o;
    }
    RecordedWorld.Pod played = pool.pod(o.key(), ordinal);
    double perMilli = (double) o.memoryBytes() / o.cpuMilli();
    long memory = memory(played, perMilli * played.cpuMilli());
    return new Owner(o.key(), played.cpuMilli(), memory, o.p0(), o.special());
  }

  private static long memory(RecordedWorld.Pod played, double otherwise) {
    return played.memoryBytes() == 0 ? Math.round(otherwise) : played.memoryBytes();
  }

  private void end(Alive pod) {
    requestedMilli -= pod.cpuMilli();
    if (pool != null) {
      pool.release(pod.owner().key(), pod.ordinal());
    }
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
      submit(t, draw(jobs, "batch/Job/", "job-", 0.3));
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
    mine.forEach(this::end);
    events.add(new DeleteOwner(t, owner.key()));
    submit(t, new ScaleUp(owner, mine.size()));
  }
}
