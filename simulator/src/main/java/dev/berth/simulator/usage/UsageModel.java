package dev.berth.simulator.usage;

import dev.berth.policy.cluster.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One cluster's hidden truth, drawn from a seed. What an owner, a pod or a node does depends on the
 * seed and its own key only: never on placement, on other pods or on a clock.
 *
 * <pre>{@code
 * var model = new UsageModel(42, UsageParameters.DEFAULT);
 * PodDemand demand = model.start(pod, pod.cpuMilli() * 2, now);
 * double cores = demand.cpuCores(now + 60);
 * }</pre>
 *
 * <p>Thread rule: one thread (owner profiles are memoised).
 */
public final class UsageModel {
  /** A pod without a CPU request still does something. */
  private static final double BEST_EFFORT_CORES = 0.1;

  private static final double BEST_EFFORT_BYTES = 128 << 20;

  private static final Pattern POD_KEY = Pattern.compile(".*/(\\d{1,9})(?:-[a-z]+)*");

  private final long seed;
  private final UsageParameters parameters;
  private final @Nullable RecordedWorld recorded;
  private final @Nullable RestlessWorld restless;
  private final Map<String, Behaviour> behaviours = new HashMap<>();
  private final Map<String, OwnerProfile> owners = new HashMap<>();

  /** What a pod does: its owner as a whole, its own CPU and memory, and what sets it apart. */
  private record Behaviour(Load owner, Load cpu, Load memory, PodLaw law) {}

  public UsageModel(long seed, UsageParameters parameters) {
    this.seed = seed;
    this.parameters = parameters;
    Recorded history = parameters.recorded();
    this.recorded = history == null ? null : new RecordedWorld(seed, parameters, history);
    Nature nature = parameters.nature();
    this.restless = nature == null ? null : new RestlessWorld(seed, nature);
  }

  public UsageParameters parameters() {
    return parameters;
  }

  /** What of a history this cluster plays; null where usage is drawn. */
  public @Nullable RecordedWorld recorded() {
    return recorded;
  }

  /** The owner's hidden behaviour, by its key ({@link Pod#owner()}). */
  public OwnerProfile owner(String key) {
    return owners.computeIfAbsent(key, k -> OwnerProfile.draw(seed, k, parameters));
  }

  /**
   * The uid by which an owner's {@code ordinal}-th pod to be bound, from 0 on, has the same usage
   * in every run of a workload, on every clock. Kubernetes gives other uids in every run.
   */
  public static String podKey(String owner, int ordinal) {
    return owner + "/" + ordinal;
  }

  /** From a pod's bind to the start of its containers, seconds. */
  public double startDelay(Pod pod) {
    double owner = owner(pod.owner()).startUp().delaySeconds();
    return owner == 0 ? 0 : owner * (0.5 + Draws.uniform(Draws.at(podSeed(pod), 3)));
  }

  /**
   * Starts a pod.
   *
   * @param cpuLimitMilli CPU limit in milli-cores, 0 for none
   * @param at second at which its containers start
   */
  public PodDemand start(Pod pod, long cpuLimitMilli, double at) {
    OwnerProfile owner = owner(pod.owner());
    Behaviour b = behaviour(pod, owner);
    return new PodDemand(
        owner,
        b.owner(),
        b.cpu(),
        b.memory(),
        b.law(),
        podSeed(pod),
        pod.cpuMilli() == 0 ? BEST_EFFORT_CORES : pod.cpuMilli() / 1000.0,
        cpuLimitMilli == 0 ? Double.POSITIVE_INFINITY : cpuLimitMilli / 1000.0,
        pod.memoryBytes() == 0 ? BEST_EFFORT_BYTES : pod.memoryBytes(),
        at);
  }

  private Behaviour behaviour(Pod pod, OwnerProfile owner) {
    if (recorded != null) {
      RecordedWorld.Pod played = recorded.pod(pod.owner(), ordinal(pod));
      // Scaled to another request, memory would be nobody's: a machine's own has no such unit.
      Load memory = played.memoryBytes() == pod.memoryBytes() ? played.memory() : null;
      return new Behaviour(
          recorded.load(pod.owner()),
          played.cpu(),
          memory == null ? Load.constant(owner.memoryRatio()) : memory,
          PodLaw.RECORDED);
    }
    Behaviour known = behaviours.get(pod.owner());
    if (known == null) {
      known =
          restless == null
              ? new Behaviour(owner, owner, Load.constant(owner.memoryRatio()), PodLaw.DRAWN)
              : restless(restless, pod.owner(), owner);
      behaviours.put(pod.owner(), known);
    }
    return known;
  }

  private Behaviour restless(RestlessWorld world, String key, OwnerProfile owner) {
    Load load = new RestlessLoad(world, seed, key, owner);
    double follows =
        world.nature().memoryFollows().draw(Draws.stream(seed, "memory follows/" + key));
    return new Behaviour(
        load,
        load,
        Load.following(load, owner.memoryRatio(), follows),
        world.nature().podLaw(seed, key));
  }

  /** The ordinal of a {@link #podKey}, also when a controller made the pod anew; else any. */
  private int ordinal(Pod pod) {
    Matcher key = POD_KEY.matcher(pod.uid());
    return key.matches() ? Integer.parseInt(key.group(1)) : (int) podSeed(pod);
  }

  private long podSeed(Pod pod) {
    return Draws.hash(seed, "pod/" + pod.uid());
  }

  /** What the daemons of a node of this size take, by the node's name. */
  public DaemonOverhead daemons(String node, long cpuMilli, long memoryBytes) {
    return DaemonOverhead.draw(seed, node, cpuMilli / 1000.0, memoryBytes);
  }
}
