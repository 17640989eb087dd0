package dev.berth.policy.state;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.ledger.InFlightLedger;
import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import dev.berth.policy.usage.OwnerModels;
import dev.berth.policy.usage.StateEstimate;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import dev.berth.policy.usage.UsageFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster between two samples. The owner feeds it with decisions, binds, ends
 * and samples in time order; policies read {@link #columns} and {@link #expectedCpu}. Reading
 * changes nothing: what is expected never hangs on who asked before.
 *
 * <p>Everything hangs on one idea: a node's usage now is what its last sample showed, plus what has
 * arrived since, minus what has left, each weighted by the part of the sample's window that did not
 * see it and valued at its owner's learned ratio. Forecasts run the same sum ahead in time. Where
 * events are missing (a restart, another scheduler), the scheduler's own request columns stand in.
 *
 * <p>Thread rule: one owner; callers serialise access, reads included.
 */
public final class ClusterState {
  /** Seconds after which a pod that left can show in no sample any more, even if none came. */
  private static final double DEPARTED_FOR = 900;

  /** Of an owner without pods for so long, next to no certainty is left: eight half-lives. */
  private static final double OWNER_IDLE_FOR = 2 * 86_400;

  /**
   * A node of which nothing was heard for so long (seconds) is gone: without pods and without a
   * sample it has nothing that a new one lacks.
   */
  public static final double NODE_IDLE_FOR = 3600;

  private static final double IDLE_CHECK = 3600;

  /** The same where there are more than a cluster has: somebody invents them. */
  private static final double CROWD_CHECK = 60;

  /** Owners from which on those without pods go, the longest idle first: some 70 MB. */
  static final int MOST_OWNERS = 100_000;

  /** Nodes from which on those without pods and samples go at once: some 25 MB. */
  public static final int MOST_NODES = 20_000;

  /**
   * Nodes with which no question makes another one known: within the minute in which those without
   * pods stay, somebody who invents names can make up as many as he can send.
   */
  public static final int NODES_ADMITTED = 2 * MOST_NODES;

  /** No machine has as many. */
  private static final double MOST_CORES = 10_000;

  /** A node's machine has this much more CPU than is allocatable at most. */
  private static final double MOST_OF_CAPACITY = 4;

  private final UsageConfig config;
  private final UsageFilter filter;
  private final NodeStates nodes = new NodeStates();
  private final OwnerModels owners;
  private final Map<String, Placement> pods = new HashMap<>();
  private final InFlightLedger ledger;
  private final MeasurementUpdate update;
  private final ExpectedUsage expected;
  private double clock = Double.NEGATIVE_INFINITY;
  private double idleCheckedAt = Double.NEGATIVE_INFINITY;
  private long refused;
  private long binds;

  /** A running pod and its node. */
  private record Placement(PodState pod, NodeState node) {}

  public ClusterState(UsageConfig config) {
    this.config = config;
    this.filter = new UsageFilter(config);
    this.owners = new OwnerModels(config);
    this.ledger = new InFlightLedger(config, owners);
    this.update = new MeasurementUpdate(config, filter, nodes, owners);
    this.expected = new ExpectedUsage(config, nodes, owners, ledger);
  }

  public UsageConfig config() {
    return config;
  }

  /**
   * A pod is about to be placed on one of these: their sizes are news, and means over all owners
   * are taken anew. To be called before a policy decides; a question by which nothing is placed
   * only reads.
   */
  public void deciding(Candidates candidates, double now) {
    tick(now);
    owners.refresh(now);
    int[] at = nodes.rowsOf(candidates);
    double[] capacity = nodes.rows().capacity;
    for (int i = 0; i < at.length; i++) {
      double cores = candidates.cpuMilli()[i] / 1000.0;
      if (capacity[at[i]] != cores && room(candidates.names()[i])) {
        nodes.admit(candidates.names()[i], clock).setCapacity(cores, filter);
      }
    }
  }

  private boolean room(String node) {
    return nodes.all().size() < NODES_ADMITTED || nodes.known(node) != null;
  }

  /**
   * A node was measured to have so many cores: what counts until a decision names it, so that the
   * samples before the first one teach.
   *
   * @param at when it was measured
   * @return whether that was news
   */
  public boolean sized(String node, double cores, double at) {
    tick(at);
    NodeState known = nodes.known(node);
    boolean news = cores > 0 && (known == null || Double.isNaN(known.capacity)) && room(node);
    if (news) {
      nodes.admit(node, clock).setCapacity(cores, filter);
    }
    return news;
  }

  /**
   * A pod was reserved or bound on a node. A second call for the same uid and node is ignored; one
   * that names another node moves the pod.
   */
  public void podBound(Pod pod, String node, double at) {
    tick(at);
    Placement known = pods.get(pod.uid());
    if (known != null) {
      if (known.node().name.equals(node)) {
        return;
      }
      podTakenBack(pod.uid(), at);
    }
    owners.refresh(at);
    OwnerModel owner = owners.admit(pod.owner(), at);
    NodeState home = nodes.admit(node, clock);
    boolean differs = config.has(Part.PER_POD);
    double deviation = differs ? (home.effect() - 1) * owner.meanRatio() : 0;
    double spread = differs ? owner.podVariance() : 0;
    PodState bound = new PodState(pod, owner, at, binds++, new StateEstimate(deviation, spread));
    owner.podStarted(at);
    home.add(bound);
    pods.put(pod.uid(), new Placement(bound, home));
  }

  /**
   * A reservation was taken back: the pod never ran there. That is no end of a pod, or an owner
   * whose pods wait to be bound would seem to have short ones. Unknown uids are ignored.
   */
  public void podTakenBack(String podUid, double at) {
    tick(at);
    Placement placed = pods.remove(podUid);
    if (placed != null) {
      PodState pod = placed.pod();
      pod.owner().podTakenBack(at);
      pod.gone(pod.boundAt()); // else its memory is taken off a sample that never showed it
      placed.node().remove(pod);
      filter.forget(pod.owner(), pod.deviation());
    }
  }

  /** A pod that ran left its node (finished, deleted). Unknown uids are ignored. */
  public void podGone(String podUid, double at) {
    tick(at);
    Placement placed = pods.remove(podUid);
    if (placed == null) {
      return;
    }
    PodState pod = placed.pod();
    NodeState node = placed.node();
    pod.gone(at);
    pod.owner().podEnded(at);
    node.remove(pod);
    update.forgetDeparted(node, at - DEPARTED_FOR);
    node.departed.add(pod);
  }

  /**
   * A sample became visible. NaN fields stay unknown; a sample with an infinite or negative value,
   * of more CPU than the node can have, or of an empty window, is refused and counted. Samples
   * older than the last are ignored.
   */
  public void sample(NodeSample s, double visibleAt) {
    tick(visibleAt);
    if (bad(s.cpuCores())
        || bad(s.memoryBytes())
        || bad(s.connections())
        || bad(s.latencyMillis())
        || !(s.windowEnd() > s.windowStart())
        || s.cpuCores() > mostCores(s.node())) {
      refused++;
      return;
    }
    if (!config.has(Part.SAMPLES) || !room(s.node())) {
      return;
    }
    NodeState node = nodes.admit(s.node(), clock);
    if (node.last != null && s.windowEnd() <= node.last.windowEnd()) {
      return;
    }
    if (!Double.isNaN(s.cpuCores()) && !Double.isNaN(node.capacity) && node.news(s)) {
      update.by(s, node, visibleAt);
    }
    node.addSample(s);
    if (!Double.isNaN(s.cpuCores())) {
      update.forgetDeparted(node, s.windowStart());
    }
  }

  /**
   * A sample of a pod became visible; to be handed on before the sample of its node that was taken
   * with it. Pods that are not known, windows that had next to nothing of the pod, and those that
   * overlap with what was learned from are ignored; bad values are refused as those of nodes are.
   */
  public void sample(PodSample s, double visibleAt) {
    tick(visibleAt);
    if (bad(s.cpuCores()) || bad(s.memoryBytes()) || !(s.windowEnd() > s.windowStart())) {
      refused++;
      return;
    }
    Placement placed = pods.get(s.uid());
    if (placed != null && s.cpuCores() > mostCores(placed.node().name)) {
      refused++; // Prometheus need not know how many cores the node has
      return;
    }
    if (placed == null
        || Double.isNaN(s.cpuCores())
        || !config.has(Part.SAMPLES)
        || !config.has(Part.POD_SAMPLES)) {
      return;
    }
    PodState pod = placed.pod();
    NodeState node = placed.node();
    double coverage = pod.coverage(s.windowStart(), s.windowEnd());
    if (coverage < PodState.MIN_COVERAGE || !pod.news(s)) {
      return;
    }
    update.by(s, coverage, pod, node);
  }

  private double mostCores(String node) {
    NodeState known = nodes.known(node);
    return known == null || Double.isNaN(known.capacity)
        ? MOST_CORES
        : MOST_OF_CAPACITY * known.capacity;
  }

  private static boolean bad(double value) {
    return Double.isInfinite(value) || value < 0;
  }

  /** A node left the cluster, and its pods with it. */
  public void nodeGone(String node) {
    NodeState known = nodes.remove(node);
    if (known != null) {
      for (PodState p : known.pods) {
        pods.remove(p.pod().uid());
        p.owner().podEnded(clock);
        filter.forget(p.owner(), p.deviation());
      }
      update.forgetDeparted(known, Double.POSITIVE_INFINITY);
      filter.forget(known.overhead);
      filter.forget(known.slowness);
    }
  }

  /** Samples refused because a value cannot be, or its window is empty. */
  public long refusedSamples() {
    return refused;
  }

  /** Binds so far: a pod bound later has this number or a higher one. */
  public long binds() {
    return binds;
  }

  Map<String, OwnerModel> owners() {
    return owners.all();
  }

  Stream<PodState> pods() {
    return pods.values().stream().map(Placement::pod);
  }

  Collection<NodeState> nodes() {
    return nodes.all();
  }

  /** Takes up what was known of owners; see {@link OwnerModel#restore}. */
  void restoreOwners(List<LearnedState.OwnerRecord> states, double at, double now) {
    tick(now); // what comes back must not be idle before it had the time to be seen
    states.forEach(s -> owners.admit(s.name(), now).restore(s.model(), at, now));
    owners.invalidate();
    owners.refresh(now);
  }

  /** Takes up what was known of a pod, if it still runs. */
  void restorePod(LearnedState.PodRecord state) {
    Placement placed = pods.get(state.uid());
    if (placed != null && config.has(Part.PER_POD)) {
      placed.pod().deviation().set(state.mean(), state.variance());
      placed.node().estimatesChanged();
    }
  }

  /** Takes up what was known of a node. */
  void restoreNode(LearnedState.NodeRecord state) {
    NodeState node = nodes.admit(state.name(), clock);
    node.setCapacity(state.capacity(), filter);
    node.overhead.set(state.overhead(), state.overheadVariance());
    if (config.has(Part.NODE_SPEED)) {
      node.slowness.set(state.slowness(), state.slownessVariance());
    }
    node.estimatesChanged();
  }

  public int knownNodes() {
    return nodes.all().size();
  }

  public int knownPods() {
    return pods.size();
  }

  /** The node a pod is on; null for a pod that is not known. */
  public @Nullable String nodeOf(String podUid) {
    Placement placed = pods.get(podUid);
    return placed == null ? null : placed.node().name;
  }

  /** Binds before that of a pod, see {@link #binds}; -1 for a pod that is not known. */
  public long order(String podUid) {
    Placement placed = pods.get(podUid);
    return placed == null ? -1 : placed.pod().order();
  }

  /** Seconds since the end of each candidate's last sample of CPU, NaN without one. */
  public double[] sampleAges(Candidates candidates, double now) {
    int[] at = nodes.rowsOf(candidates);
    double[] measuredAt = nodes.rows().measuredAt;
    double[] ages = new double[at.length];
    for (int i = 0; i < ages.length; i++) {
      ages[i] = Math.max(0, now - measuredAt[at[i]]);
    }
    return ages;
  }

  /** How many candidates have a sample that can be trusted. */
  public int measured(Candidates candidates, double now) {
    int count = 0;
    double[] measuredAt = nodes.rows().measuredAt;
    for (int row : nodes.rowsOf(candidates)) {
      count += now - measuredAt[row] <= config.staleAfter() ? 1 : 0; // none where it is NaN
    }
    return count;
  }

  /** Trust in a node's last sample. */
  public SampleState state(String node, double now) {
    NodeState known = nodes.known(node);
    return known == null ? SampleState.ABSENT : known.state(now, config);
  }

  /** Learned mean usage / request of an owner; the cluster's mean for one never seen. */
  public double ownerRatio(String owner) {
    OwnerModel o = owners.known(owner);
    return o == null || !config.has(Part.OWNER_RATIOS) ? owners.ratio() : o.meanRatio();
  }

  /** What is known of each candidate now. */
  public NodeColumns columns(Candidates candidates, double now) {
    int n = candidates.size();
    NodeColumns c = new NodeColumns(n);
    NodeState[] known = nodes.of(candidates);
    for (int i = 0; i < n; i++) {
      c.set(i, known[i], now, config);
    }
    return c;
  }

  /**
   * Signed in-flight ledger of each candidate, cores: expected of arrivals that its last sample's
   * window did not see, minus that of departures that it still saw, {@code [candidates]}. Looks at
   * every pod that is new on a node, which few ask for.
   */
  public double[] ledgerCpu(Candidates candidates, double now) {
    NodeState[] known = nodes.of(candidates);
    double[] cores = new double[known.length];
    for (int i = 0; i < cores.length; i++) {
      NodeState here = known[i];
      cores[i] = here.slowness.mean() * ledger.cores(here.pods, here.departed, here.last, now);
    }
    return cores;
  }

  /** Pods of an owner on each candidate, {@code [candidates]}; for spreading. */
  public int[] ownerPods(String owner, Candidates candidates) {
    int[] count = new int[candidates.size()];
    OwnerModel o = owners.known(owner);
    if (o == null || !o.hasPods()) {
      return count;
    }
    int[] at = nodes.rowsOf(candidates);
    NodeRows rows = nodes.rows();
    int[] entries = rows.entries(at, o);
    for (int i = 0; i < count.length; i++) {
      if (entries[i] >= 0) {
        count[i] = (int) rows.groups[at[i]][entries[i] + 2];
      }
    }
    return count;
  }

  /** Pods with latency limits on each candidate: how many there are of each kind of limits. */
  public List<Map<LatencyLimits, Integer>> latencyLimits(Candidates candidates) {
    List<Map<LatencyLimits, Integer>> all = new ArrayList<>();
    for (NodeState node : nodes.of(candidates)) {
      Map<LatencyLimits, Integer> here = new HashMap<>();
      for (PodState p : node.pods) {
        if (p.pod().latency().any()) {
          here.merge(p.pod().latency(), 1, Integer::sum);
        }
      }
      all.add(here);
    }
    return all;
  }

  /** Request cores of an owner's pods on each candidate, {@code [candidates]}. */
  public double[] ownerCores(String owner, Candidates candidates) {
    double[] cores = new double[candidates.size()];
    OwnerModel o = owners.known(owner);
    if (o == null || !o.hasPods()) {
      return cores;
    }
    int[] at = nodes.rowsOf(candidates);
    NodeRows rows = nodes.rows();
    int[] entries = rows.entries(at, o);
    NodeState[] known = nodes.of(candidates);
    for (int i = 0; i < cores.length; i++) {
      if (entries[i] >= 0) {
        cores[i] =
            ledger.on() || ledger.counts(known[i].last) // on: no need to look each node up
                ? rows.groups[at[i]][entries[i]]
                : seenCores(known[i], o);
      }
    }
    return cores;
  }

  /** Request cores of an owner's pods, each by what the node's last sample saw of it. */
  private double seenCores(NodeState node, OwnerModel owner) {
    double cores = 0;
    for (PodState p : node.pods) {
      cores += p.owner() == owner ? p.cores() * ledger.seen(p, node.last) : 0;
    }
    return cores;
  }

  /**
   * How uncertain an owner's ratio is at each horizon, as a variance, {@code [horizons]}: what is
   * not yet learned of it, and bursts that may come. Zero where hedging is switched off.
   */
  public double[] ownerVariance(String owner, double now, double[] horizons) {
    return expected.ownerVariance(owner, now, horizons);
  }

  /**
   * Memory in bytes, pods that have just come counted in full.
   *
   * @param before what each candidate is expected to hold without the pod, {@code [candidates]}
   * @param pod what the pod is expected to hold
   */
  public record Memory(double[] before, double pod) {}

  /** Memory that is held where a pod may go: samples, and the requests that came and went since. */
  public Memory expectedMemory(Candidates candidates, Pod pod) {
    int[] at = nodes.rowsOf(candidates);
    NodeRows rows = nodes.rows();
    double ratio = NodeMemory.ratio(rows, at, candidates.memoryBytes());
    double[] before = new double[at.length];
    for (int i = 0; i < before.length; i++) {
      before[i] = NodeMemory.expected(rows, at[i], ratio, candidates.memoryRequestedBytes()[i]);
    }
    OwnerModel owner = owners.known(pod.owner());
    double measured = owner == null ? Double.NaN : owner.memoryRatio();
    double held = Double.isNaN(measured) ? ratio : measured;
    return new Memory(before, held * PodState.memoryRequested(pod));
  }

  /** Pods bound to a node after a point in time and still there. */
  public int bindsSince(String node, double since) {
    NodeState known = nodes.known(node);
    return known == null ? 0 : known.bindsSince(since);
  }

  /**
   * Mean CPU that samples showed on a node over the last {@code window} seconds (at most 300), less
   * what pods brought to it that were bound since a decision, cores; NaN where the last sample is
   * not fresh. This is what a reward is measured by: later binds fill the gap that an agent
   * exploited, and would hide it.
   *
   * @param order {@link #binds} at that decision: the cluster state's own order, since the clocks
   *     of scheduler and service differ; {@link Long#MAX_VALUE} leaves everything in
   */
  public double measuredCpuWithout(String node, long order, double now, double window) {
    NodeState known = nodes.known(node);
    NodeSample last = known == null ? null : known.fresh(now, config);
    if (known == null || last == null) {
      return Double.NaN;
    }
    double end = last.windowEnd();
    // What pods brought is reckoned over the very windows that it is taken off.
    double from = known.sampledFrom(end - Math.min(window, NodeState.MEAN_SECONDS));
    double later =
        known.slowness.mean() * ledger.boundLater(known.pods, known.departed, order, from, end);
    return Math.max(0, known.meanCpu(from) - later);
  }

  /** Pods that ask for GPUs, in no meaningful order. */
  public List<Pod> gpuPods() {
    return pods().map(PodState::pod).filter(p -> p.gpu().count() > 0).toList();
  }

  /** Pods bound to a node from a number of {@link #binds} on that are still there. */
  public int bindsFrom(String node, long order) {
    NodeState known = nodes.known(node);
    return known == null ? 0 : known.bindsFrom(order);
  }

  /** CPU capacity of a node, cores; NaN until a decision or a measurement has named it. */
  public double cpuCapacity(String node) {
    NodeState known = nodes.known(node);
    return known == null ? Double.NaN : known.capacity;
  }

  /**
   * The last sample of a node as {@link #measuredCpuWithout} trusts it: null where it is not fresh.
   */
  public @Nullable NodeSample fresh(String node, double now) {
    NodeState known = nodes.known(node);
    return known == null ? null : known.fresh(now, config);
  }

  /** Requests of the pods bound to a node after its last sample's window, milli-cores. */
  public double requestedSinceSample(String node) {
    NodeState known = nodes.known(node);
    return known == null ? 0 : known.requestedSinceSample();
  }

  /**
   * Expected CPU of each candidate without the pod in question, from what is known of the pods on
   * it: ratios, time of day, lifetimes, the node's own overhead and its last residual.
   *
   * @param horizons seconds after now, {@code [horizons]}
   * @return cores, {@code [horizons][candidates]}
   */
  public double[][] expectedCpu(Candidates candidates, double now, double[] horizons) {
    return expected.ofNodes(candidates, now, horizons);
  }

  /**
   * Mean CPU of one node in the next seconds, as its next sample will show it, from the pods known
   * to be on it, cores; 0 for a node that is not known. Pods that were just bound use little yet;
   * {@link #expectedCpu(Candidates, double, double[])} counts them as started, for until the pod of
   * its decision has, they have, too.
   */
  public double expectedCpu(String node, double now, double seconds) {
    NodeState known = nodes.known(node);
    return known == null ? 0 : expected.ofNode(known, now, seconds);
  }

  /**
   * What a pod takes for capacity: a slow node is a small one to a pod, for there it takes more CPU
   * than {@link #expectedPodCpu}, milli-cores, {@code [candidates]}.
   */
  public long[] power(Candidates candidates) {
    int[] at = nodes.rowsOf(candidates);
    double[] slowness = nodes.rows().wholeSlowness;
    long[] power = new long[at.length];
    for (int i = 0; i < power.length; i++) {
      power[i] = (long) (candidates.cpuMilli()[i] / slowness[at[i]] + .5); // round() costs thrice
    }
    return power;
  }

  /**
   * Expected CPU of a new pod while it lives, on a node of average speed, cores, {@code
   * [horizons]}; and the chance that it still lives, in {@code survival}.
   */
  public double[] expectedPodCpu(Pod pod, double now, double[] horizons, double[] survival) {
    return expected.ofPod(pod, now, horizons, survival);
  }

  /** Share of today's pods that still run at each horizon, {@code [horizons]}; kept for 30 s. */
  public double[] loadSurvival(double[] horizons) {
    return owners.survival(horizons);
  }

  private void tick(double now) {
    clock = Math.max(clock, now);
    boolean crowd = owners.all().size() > MOST_OWNERS || nodes.all().size() > MOST_NODES;
    if (clock > idleCheckedAt + (crowd ? CROWD_CHECK : IDLE_CHECK)) {
      idleCheckedAt = clock;
      owners.forgetIdle(clock - OWNER_IDLE_FOR, MOST_OWNERS, filter);
      forgetIdleNodes(clock - (nodes.all().size() > MOST_NODES ? CROWD_CHECK : NODE_IDLE_FOR));
    }
  }

  /**
   * Nothing tells the service that a node was removed, but its pods go and its samples end; a name
   * that an autoscaler gave may never come back. One that is still there, only unused and
   * unmeasured, is known anew with the next decision.
   */
  private void forgetIdleNodes(double since) {
    List<String> idle = nodes.all().stream().filter(n -> n.idle(since)).map(n -> n.name).toList();
    idle.forEach(this::nodeGone);
  }
}
