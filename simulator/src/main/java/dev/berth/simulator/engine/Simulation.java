package dev.berth.simulator.engine;

import dev.berth.policy.Policy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.simulator.engine.SchedulingCycle.Placement;
import dev.berth.simulator.scenario.Fault;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.workload.Arrivals;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.PodSpec;
import dev.berth.simulator.workload.RecordedArrivals;
import dev.berth.simulator.workload.WorkloadEvent;
import dev.berth.simulator.workload.WorkloadGenerator;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario under one policy. Within a tick, things happen in this order: nodes join
 * and leave, pods end, nodes are scraped, reports and samples arrive, pods arrive and are placed,
 * and then five seconds of usage pass.
 *
 * <pre>{@code
 * var metrics = new RunMetrics(scenario);
 * new Simulation(scenario, 9001, policy).listen(metrics).run();
 * }</pre>
 *
 * <p>Thread rule: one thread; runs share nothing, so many may run side by side.
 */
public final class Simulation {
  public static final double TICK_SECONDS = 5;

  /** From one pod to the next while many wait: a hundred a second, as kube-scheduler binds them. */
  private static final double PLACEMENT_SECONDS = 0.01;

  private final Scenario scenario;
  private final long usageSeed;
  private final long seed;
  private final ClusterViews views;
  private final Cluster cluster;
  private final SchedulingCycle cycle;
  private final Scraper scraper;
  private final Policy policy;
  private final List<SimulationListener> listeners = new ArrayList<>();
  private final Deque<PodSpec> queue = new ArrayDeque<>();
  private final Deque<PodSpec> unschedulable = new ArrayDeque<>();

  private @Nullable Policy fallback;
  private @Nullable List<DeploymentPlan> replayed;
  private @Nullable List<WorkloadEvent> events;
  private long decisions;
  private int placedInTick;

  /** Prepares a run; the cluster state is built as the policy wants them. */
  public Simulation(Scenario scenario, long seed, PolicyFactory factory) {
    this(scenario, seed, seed, factory);
  }

  /**
   * The same where workload and usage come from one seed and accidents from another: who wins a
   * tie, when nodes are scraped, what is lost.
   */
  public Simulation(Scenario scenario, long usageSeed, long seed, PolicyFactory factory) {
    this.scenario = scenario;
    this.usageSeed = scenario.stream(usageSeed);
    this.seed = scenario.stream(seed);
    this.cluster = new Cluster(new UsageModel(this.usageSeed, scenario.usage()));
    this.policy = factory.create(new PolicyFactory.Context(scenario, this.seed, cluster));
    this.views = new ClusterViews(scenario, this.seed, policy);
    this.cycle = new SchedulingCycle(cluster, this.seed, scenario.percentageOfNodesToScore());
    this.scraper = new Scraper(scenario, this.seed);
    if (scenario.metrics().pods()) {
      cluster.meterPods();
    }
    if (policy instanceof SimulationListener hears) {
      listen(hears); // one that learns, or a rival that brings its own agents on the nodes
    }
  }

  /** Adds somebody who hears everything, once however often added; call before {@link #run}. */
  public Simulation listen(SimulationListener listener) {
    if (listeners.stream().noneMatch(known -> known == listener)) {
      listeners.add(listener);
    }
    return this;
  }

  /** Who places pods while the scorer misses its deadline: the stock scheduler's own plugins. */
  public Simulation fallback(Policy stock) {
    fallback = stock;
    return this;
  }

  /** Plays this list instead of drawing one; call before {@link #run}. */
  public Simulation replay(List<DeploymentPlan> plans) {
    deployments();
    replayed = List.copyOf(plans);
    return this;
  }

  /**
   * Plays these events, which are in time order, instead of any drawn; call before {@link #run}.
   */
  public Simulation play(List<WorkloadEvent> given) {
    events = List.copyOf(given);
    return this;
  }

  /**
   * The list of Deployments that the run plays.
   *
   * @throws IllegalArgumentException when the scenario's workload is no such list
   */
  public List<DeploymentPlan> deployments() {
    if (scenario.workload().kind() != WorkloadSpec.Kind.DEPLOYMENTS) {
      throw new IllegalArgumentException(
          "scenario "
              + scenario.name()
              + " plays no list of Deployments: its workload must be of kind deployments");
    }
    Room room = room();
    return replayed != null
        ? replayed
        : WorkloadGenerator.deployments(
            scenario.workload(), usageSeed, room.cpuMilli(), room.memoryBytes(), room.pods());
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Runs to the end and returns the number of decisions the policy made. */
  public long run() {
    List<NodeGroup> groups = scenario.nodes();
    boolean[] joined = new boolean[groups.size()];
    List<WorkloadEvent> events = workload();
    int nextEvent = 0;
    long ticks = (long) Math.ceil(scenario.durationSeconds() / TICK_SECONDS);
    for (long k = 0; k < ticks; k++) {
      double t = k * TICK_SECONDS;
      placedInTick = 0;
      for (int g = 0; g < groups.size(); g++) {
        if (!joined[g] && t >= groups.get(g).joinsAt()) {
          joined[g] = true;
          join(groups.get(g));
        }
        if (joined[g] && t >= groups.get(g).leavesAt()) {
          leave(groups.get(g), t);
        }
      }
      for (RunningPod ended = cluster.nextEnded(t); ended != null; ended = cluster.nextEnded(t)) {
        remove(ended, t);
      }
      views.read(cluster, t);
      scraper.scrape(cluster, t);
      scraper.deliver(t, this::sampled);
      while (nextEvent < events.size() && events.get(nextEvent).at() <= t) {
        happen(events.get(nextEvent++), t);
      }
      if (policy instanceof NodeFilter) {
        retry(); // what it lets through changes with its own metrics
      }
      schedule(t);
      cluster.pending(unschedulable.size());
      cluster.advance(t, TICK_SECONDS);
      evict(t);
      listeners.forEach(l -> l.advanced(cluster, t, TICK_SECONDS));
    }
    return decisions;
  }

  /** What will arrive, in time order: drawn from the scenario and the seed, or given. */
  public List<WorkloadEvent> workload() {
    if (events != null) {
      return events;
    }
    if (replayed != null) {
      return WorkloadGenerator.events(replayed, scenario.workload().rhythm());
    }
    Room room = room();
    Arrivals arrivals = scenario.workload().arrivals();
    if (arrivals != null) {
      return new RecordedArrivals(arrivals, usageSeed, scenario.durationSeconds())
          .events(
              scenario.workload().load(),
              room.cpuMilli(),
              room.largestMilli(),
              room.largestBytes());
    }
    return WorkloadGenerator.generate(
        scenario.workload(),
        cluster.usage(),
        usageSeed,
        room.cpuMilli(),
        room.memoryBytes(),
        room.pods(),
        scenario.durationSeconds());
  }

  private record Room(
      long cpuMilli, long memoryBytes, long pods, long largestMilli, long largestBytes) {}

  /** What the nodes that take pods have at the start. */
  private Room room() {
    long cpu = 0;
    long memory = 0;
    long pods = 0;
    long largestMilli = 0;
    long largestBytes = 0;
    for (NodeGroup g : scenario.nodes()) {
      if (g.taints().isEmpty() && g.joinsAt() == 0) {
        cpu += g.count() * g.cpuMilli();
        memory += g.count() * g.memoryBytes();
        pods += (long) g.count() * g.pods();
        largestMilli = Math.max(largestMilli, g.cpuMilli());
        largestBytes = Math.max(largestBytes, g.memoryBytes());
      }
    }
    return new Room(cpu, memory, pods, largestMilli, largestBytes);
  }

  private void happen(WorkloadEvent event, double t) {
    if (event instanceof WorkloadEvent.Submit submit) {
      queue.addAll(submit.pods());
    } else if (event instanceof WorkloadEvent.DeleteOwner delete) {
      schedule(t);
      cluster.podsOf(delete.owner()).forEach(pod -> remove(pod, t));
      unschedulable.removeIf(spec -> spec.pod().owner().equals(delete.owner()));
    } else if (event instanceof WorkloadEvent.Reset) {
      listeners.forEach(l -> l.epochEnds(cluster, t));
      queue.clear();
      unschedulable.clear();
      cluster.podsOf(null).forEach(pod -> remove(pod, t));
    }
  }

  private void schedule(double t) {
    double timeouts = views.outside() ? scenario.timeouts() * (queue.size() - 1) : 0;
    while (!queue.isEmpty()) {
      views.asked(t + placedInTick++ * PLACEMENT_SECONDS);
      PodSpec spec = queue.remove();
      if (!place(spec, t, timeouts)) {
        unschedulable.add(spec);
      }
    }
  }

  private boolean place(PodSpec spec, double t, double timeouts) {
    Policy stock = late(spec, t, timeouts) ? stock() : null;
    Policy judge = stock == null ? policy : stock;
    Placement placement =
        cycle.place(spec, judge, stock == null ? views.scorer() : views.scheduler(), t);
    if (placement == null) {
      return false;
    }
    if (placement.decision() != null && stock == null) {
      decisions++;
      for (SimulationListener listener : listeners) {
        listener.decided(placement.decision(), placement.preferences(), placement.chosen());
      }
    }
    Node node = placement.node();
    cluster.bind(spec, node, t);
    views.bound(spec.pod(), node.name(), t);
    listeners.forEach(l -> l.bound(spec.pod(), node.name(), t));
    return true;
  }

  /**
   * Whether the scorer misses its deadline for this pod.
   *
   * @param timeouts share of decisions that do, for how many are wanted at once
   */
  private boolean late(PodSpec spec, double t, double timeouts) {
    String uid = spec.pod().uid();
    if (timeouts > 0 && Draws.uniform(Draws.hash(seed, "timeout/" + uid)) < timeouts) {
      return true;
    }
    return scenario.faults().stream()
        .filter(f -> f.active(Fault.Kind.SERVICE_SLOW, "*", t))
        .anyMatch(f -> Draws.uniform(Draws.hash(seed, "late/" + uid)) < f.amount());
  }

  private Policy stock() {
    if (fallback == null) {
      throw new IllegalStateException(
          "scenario " + scenario.name() + " makes the service slow: give the run a fallback");
    }
    return fallback;
  }

  /** A pod leaves; whatever waited for room is looked at again. */
  private void remove(RunningPod pod, double t) {
    cluster.remove(pod);
    views.gone(pod.spec().pod(), t);
    listeners.forEach(l -> l.gone(pod.spec().pod(), pod.node().name(), t));
    retry();
  }

  private void retry() {
    queue.addAll(unschedulable);
    unschedulable.clear();
  }

  private void join(NodeGroup group) {
    for (int i = 0; i < group.count(); i++) {
      cluster.add(group, i);
    }
    retry();
  }

  private void leave(NodeGroup group, double t) {
    for (int i = 0; i < group.count(); i++) {
      String name = group.name() + "-" + i;
      if (cluster.contains(name)) {
        Node node = cluster.node(name);
        for (RunningPod pod : List.copyOf(node.pods())) {
          remove(pod, t);
          queue.add(pod.spec().replacement("-moved", pod.lifeLeft(t)));
        }
        cluster.remove(node);
        views.nodeGone(name);
        listeners.forEach(l -> l.nodeGone(name, t));
      }
    }
  }

  private void evict(double t) {
    for (Node node : cluster.nodes()) {
      for (RunningPod victim = cluster.evictionVictim(node);
          victim != null;
          victim = cluster.evictionVictim(node)) {
        RunningPod pod = victim;
        listeners.forEach(l -> l.evicted(pod.spec().pod(), node.name(), t));
        node.memoryUsedBytes -= pod.memoryBytes();
        remove(pod, t);
        queue.add(pod.spec().replacement("-evicted", pod.lifeLeft(t)));
      }
    }
  }

  private void sampled(NodeSample sample, List<PodSample> pods, double visibleAt) {
    if (cluster.contains(sample.node())) {
      cluster.node(sample.node()).pending().covered(Math.min(sample.windowEnd(), visibleAt));
    }
    pods.forEach(pod -> views.sampled(pod, visibleAt));
    views.sampled(sample, visibleAt);
    listeners.forEach(l -> l.sampled(sample, visibleAt));
  }
}
