package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster between two samples. The owner feeds it with binds, ends and samples
 * in time order; policies read {@link #columns} and {@link #expectedCpu}.
 *
 * <p>Everything hangs on one idea: a node's usage now is what its last sample showed, plus what has
 * arrived since, minus what has left, each weighted by the part of the sample's window that did not
 * see it and valued at its owner's learned ratio. Forecasts run the same sum ahead in time. Where
 * events are missing (a restart, another scheduler), the scheduler's own request columns stand in.
 *
 * <p>Thread rule: one owner; callers serialise access, reads included.
 */
public final class Bookkeeping {
  private static final double DEPARTED_FOR = 900;

  /** Of an owner without pods for so long, next to no certainty is left: eight half-lives. */
  private static final double IDLE_FOR = 2 * 86_400;

  private static final double IDLE_CHECK = 3600;
  private static final int MOST_STATE = 8;

  private final BookkeepingConfig config;
  private final UsageFilter filter;
  private final Map<String, NodeBook> nodes = new HashMap<>();
  private final Map<String, PodBook> pods = new HashMap<>();
  private final Map<String, OwnerModel> owners = new HashMap<>();
  private final double[] scratch = new double[MOST_STATE];
  private double clock = Double.NEGATIVE_INFINITY;
  private double idleCheckedAt = Double.NEGATIVE_INFINITY;
  private double clusterRatio;
  private double clusterRatioAt = Double.NEGATIVE_INFINITY;
  private double clusterHazard;
  private double[] loadSurvival = {};
  private double loadSurvivalAt = Double.NaN;
  private long refused;
  private long binds;

  // The books of the last decision's candidates, see books().
  private String[] bookedNames = {};
  private NodeBook[] booked = {};

  public Bookkeeping(BookkeepingConfig config) {
    this.config = config;
    this.filter = new UsageFilter(config);
    this.clusterRatio = config.priorRatio();
  }

  public BookkeepingConfig config() {
    return config;
  }

  /**
   * A pod was reserved or bound on a node. A second call for the same uid and node is ignored; one
   * that names another node moves the pod.
   */
  public void podBound(Pod pod, String node, double at) {
    tick(at);
    PodBook known = pods.get(pod.uid());
    if (known != null) {
      if (known.node.name.equals(node)) {
        return;
      }
      podGone(pod.uid(), at);
    }
    OwnerModel owner = owner(pod.owner(), at);
    NodeBook home = nodes.computeIfAbsent(node, NodeBook::new);
    double spread = config.has(Part.PER_POD) ? square(config.podStd() * owner.meanRatio()) : 0;
    PodBook book = new PodBook(pod, owner, home, at, binds++, spread);
    owner.podStarted(at);
    home.add(book);
    pods.put(pod.uid(), book);
  }

  /**
   * A pod left its node (finished, deleted, or its reservation was taken back). Unknown uids are
   * ignored.
   */
  public void podGone(String podUid, double at) {
    tick(at);
    PodBook book = pods.remove(podUid);
    if (book == null) {
      return;
    }
    book.goneAt = at;
    book.owner.podEnded(at);
    book.node.remove(book);
    forgetDeparted(book.node, at - DEPARTED_FOR);
    book.node.departed.add(book);
  }

  /** Pods that left before a point in time can show in no sample any more. */
  private void forgetDeparted(NodeBook node, double before) {
    for (Iterator<PodBook> i = node.departed.iterator(); i.hasNext(); ) {
      PodBook p = i.next();
      if (p.goneAt <= before) {
        i.remove();
        filter.forget(p);
      }
    }
  }

  /**
   * A sample became visible. NaN fields stay unknown; a sample with an infinite or negative value,
   * or an empty window, is refused and counted. Samples older than the last are ignored.
   */
  public void sample(NodeSample s, double visibleAt) {
    tick(visibleAt);
    if (bad(s.cpuCores())
        || bad(s.memoryBytes())
        || bad(s.connections())
        || bad(s.latencyMillis())
        || !(s.windowEnd() > s.windowStart())) {
      refused++;
      return;
    }
    if (!config.has(Part.SAMPLES)) {
      return;
    }
    NodeBook node = nodes.computeIfAbsent(s.node(), NodeBook::new);
    if (node.last != null && s.windowEnd() <= node.last.windowEnd()) {
      return;
    }
    if (!Double.isNaN(s.cpuCores()) && !Double.isNaN(node.capacity)) {
      node.residual = filter.update(node, s);
      if (filter.joint()) {
        nodes.values().forEach(NodeBook::regroup); // a sample of one node speaks of pods elsewhere
      } else {
        node.regroup();
      }
    }
    node.remember(s);
    forgetDeparted(node, s.windowStart());
  }

  private static boolean bad(double value) {
    return Double.isInfinite(value) || value < 0;
  }

  /** A node left the cluster, and its pods with it. */
  public void nodeGone(String node) {
    NodeBook book = nodes.remove(node);
    bookedNames = new String[0];
    booked = new NodeBook[0];
    if (book != null) {
      for (PodBook p : book.pods) {
        pods.remove(p.pod.uid());
        p.owner.podEnded(clock);
        filter.forget(p);
      }
      forgetDeparted(book, Double.POSITIVE_INFINITY);
      filter.forget(book);
    }
  }

  /** Samples refused because a value was infinite, negative or its window empty. */
  public long refusedSamples() {
    return refused;
  }

  /** Binds so far: tells pods bound in the same instant apart. */
  public long binds() {
    return binds;
  }

  Map<String, OwnerModel> owners() {
    return owners;
  }

  Collection<PodBook> pods() {
    return pods.values();
  }

  Collection<NodeBook> nodes() {
    return nodes.values();
  }

  /** The owner's model, a new one if need be. */
  OwnerModel owner(String name, double now) {
    return owners.computeIfAbsent(name, o -> new OwnerModel(config, clusterRatio(now), now));
  }

  /** Takes up what was known of a pod, if it still runs. */
  void resume(LearnedBooks.PodState state) {
    PodBook pod = pods.get(state.uid());
    if (pod != null && config.has(Part.PER_POD)) {
      pod.deviation.mean[0] = state.mean();
      pod.deviation.covariance[0] = state.variance();
      pod.deviation.version++;
      pod.node.regroup();
    }
  }

  /** Takes up what was known of a node. */
  void resume(LearnedBooks.NodeState state) {
    NodeBook node = nodes.computeIfAbsent(state.name(), NodeBook::new);
    node.see(state.capacity(), config.overheadFraction());
    node.overhead.mean[0] = state.overhead();
    node.overhead.covariance[0] = state.variance();
  }

  /** The cluster's mean ratio is out of date. */
  void relearn() {
    clusterRatioAt = Double.NEGATIVE_INFINITY;
  }

  public int knownPods() {
    return pods.size();
  }

  /** Trust in a node's last sample. */
  public SampleState state(String node, double now) {
    NodeBook book = nodes.get(node);
    return book == null ? SampleState.ABSENT : book.state(now, config);
  }

  /** Learned mean usage / request of an owner; the cluster's mean for one never seen. */
  public double ownerRatio(String owner, double now) {
    OwnerModel o = owners.get(owner);
    return o == null || !config.has(Part.OWNER_RATIOS) ? clusterRatio(now) : o.meanRatio();
  }

  /** What is known of each candidate now. */
  public NodeColumns columns(Candidates candidates, double now) {
    tick(now);
    int n = candidates.size();
    NodeColumns c = new NodeColumns(n);
    NodeBook[] books = books(candidates);
    for (int i = 0; i < n; i++) {
      NodeBook node = books[i];
      NodeSample s = node.last;
      if (s == null) {
        c.state()[i] = SampleState.ABSENT;
        for (double[] column :
            new double[][] {
              c.sampleAge(),
              c.cpu(),
              c.meanCpu(),
              c.stdCpu(),
              c.memory(),
              c.connections(),
              c.latency()
            }) {
          column[i] = Double.NaN;
        }
      } else {
        c.state()[i] = node.state(now, config);
        c.sampleAge()[i] = now - s.windowEnd();
        c.cpu()[i] = s.cpuCores();
        c.meanCpu()[i] = node.meanCpu;
        c.stdCpu()[i] = node.stdCpu;
        c.trendCpu()[i] = node.trendCpu;
        c.memory()[i] = s.memoryBytes();
        c.connections()[i] = s.connections();
        c.latency()[i] = s.latencyMillis();
      }
      c.ledgerCpu()[i] = ledger(node, now);
    }
    return c;
  }

  /**
   * The books of the candidates, made where there were none. A decision asks for them several
   * times, and the next one mostly names the same nodes in the same order: comparing a name costs a
   * third of looking it up.
   */
  private NodeBook[] books(Candidates candidates) {
    String[] names = candidates.names();
    if (names != bookedNames) {
      NodeBook[] found = new NodeBook[names.length];
      for (int i = 0; i < found.length; i++) {
        found[i] =
            i < booked.length && names[i].equals(bookedNames[i])
                ? booked[i]
                : nodes.computeIfAbsent(names[i], NodeBook::new);
      }
      bookedNames = names;
      booked = found;
    }
    return booked;
  }

  /** Pods of an owner on each candidate, {@code [candidates]}; for spreading. */
  public int[] ownerPods(String owner, Candidates candidates) {
    int[] count = new int[candidates.size()];
    OwnerModel o = owners.get(owner);
    if (o == null || o.pods == 0) {
      return count;
    }
    NodeBook[] books = books(candidates);
    for (int i = 0; i < count.length; i++) {
      for (PodBook p : books[i].pods) {
        count[i] += p.owner == o ? 1 : 0;
      }
    }
    return count;
  }

  /** Request cores of an owner's pods on each candidate, {@code [candidates]}. */
  public double[] ownerCores(String owner, Candidates candidates) {
    double[] cores = new double[candidates.size()];
    OwnerModel o = owners.get(owner);
    if (o == null || o.pods == 0) {
      return cores;
    }
    NodeBook[] books = books(candidates);
    for (int i = 0; i < cores.length; i++) {
      NodeBook node = books[i];
      if (ledger(node)) {
        cores[i] = node.groups().cores(o);
      } else {
        for (PodBook p : node.pods) {
          cores[i] += p.owner == o ? p.cores * seen(p, node) : 0;
        }
      }
    }
    return cores;
  }

  /**
   * How uncertain an owner's ratio is at each horizon, as a variance, {@code [horizons]}: what is
   * not yet learned of it, and bursts that may come. Zero where hedging is switched off.
   */
  public double[] ownerVariance(String owner, double now, double[] horizons) {
    OwnerModel known = owners.get(owner);
    OwnerModel o = known == null ? new OwnerModel(config, clusterRatio(now), now) : known;
    double[] variance = new double[horizons.length];
    for (int h = 0; h < variance.length && config.has(Part.HEDGE); h++) {
      variance[h] = o.variance(now + horizons[h], scratch);
    }
    return variance;
  }

  /** Pods bound to a node after a point in time and still there. */
  public int bindsSince(String node, double since) {
    NodeBook book = nodes.get(node);
    int count = 0;
    if (book != null) {
      for (PodBook p : book.pods) {
        count += p.boundAt > since ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Mean CPU that samples showed on a node over the last {@code window} seconds (at most 300), less
   * what pods bound since a point in time brought to it, cores; NaN where the last sample is not
   * fresh. This is what a reward is measured by: later binds fill the gap that an agent exploited,
   * and would hide it.
   *
   * @param order {@link #binds} at that point; replicas of one Deployment are often bound in one
   *     instant, and those before the decision belong to what it saw
   */
  public double measuredCpuWithout(
      String node, double boundSince, long order, double now, double window) {
    NodeBook book = nodes.get(node);
    NodeSample last = book == null ? null : book.last;
    if (book == null || last == null || book.state(now, config) != SampleState.FRESH) {
      return Double.NaN;
    }
    double later = 0;
    double from = last.windowEnd() - Math.min(window, NodeBook.MEAN_SECONDS);
    double since = Math.max(boundSince, from);
    for (PodBook p : book.pods) {
      later += laterCores(p, boundSince, order, since, last.windowEnd());
    }
    for (PodBook p : book.departed) {
      later += laterCores(p, boundSince, order, since, last.windowEnd());
    }
    return Math.max(0, book.meanCpu(from) - later);
  }

  private double laterCores(PodBook p, double since, long order, double from, double to) {
    return p.boundAt < since || (p.boundAt == since && p.order < order)
        ? 0
        : p.coverage(from, to, config.rampSeconds()) * p.cores * ratioNow(p, (from + to) / 2);
  }

  /** Pods that ask for GPUs, in no meaningful order. */
  public List<Pod> gpuPods() {
    return pods.values().stream().map(p -> p.pod).filter(p -> p.gpu().count() > 0).toList();
  }

  /**
   * Pods bound to a node at or after a point in time, and from a number of {@link #binds} on, that
   * are still there.
   */
  public int bindsFrom(String node, double since, long order) {
    NodeBook book = nodes.get(node);
    int count = 0;
    if (book != null) {
      for (PodBook p : book.pods) {
        count += p.boundAt > since || (p.boundAt == since && p.order >= order) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * The last sample of a node as {@link #measuredCpuWithout} trusts it: null where it is not fresh.
   */
  public @Nullable NodeSample fresh(String node, double now) {
    NodeBook book = nodes.get(node);
    return book != null && book.state(now, config) == SampleState.FRESH ? book.last : null;
  }

  /** Requests of the pods bound to a node after its last sample's window, milli-cores. */
  public double requestedSinceSample(String node) {
    NodeBook book = nodes.get(node);
    NodeSample last = book == null ? null : book.last;
    double milli = 0;
    if (book != null && last != null) {
      for (PodBook p : book.pods) {
        milli += p.boundAt > last.windowEnd() ? p.pod.cpuMilli() : 0;
      }
    }
    return milli;
  }

  /** Signed in-flight ledger of a node, cores; see {@link NodeColumns#ledgerCpu}. */
  private double ledger(NodeBook node, double now) {
    NodeSample last = node.last;
    if (!config.has(Part.LEDGER) || last == null) {
      return 0;
    }
    double sum = 0;
    // In the order of binding: all before the first that the whole window saw were seen as well.
    for (int i = node.pods.size() - 1; i >= 0; i--) {
      PodBook p = node.pods.get(i);
      double unseen = 1 - p.coverage(last, config);
      if (unseen <= 0) {
        break;
      }
      sum += unseen * p.cores * ratioNow(p, now);
    }
    if (config.has(Part.DEPARTURES)) {
      for (PodBook p : node.departed) {
        sum -= p.coverage(last, config) * p.cores * ratioNow(p, now);
      }
    }
    return sum;
  }

  private double ratioNow(PodBook p, double now) {
    return config.has(Part.OWNER_RATIOS)
        ? p.owner.ratio(now, scratch) + p.deviation.mean[0]
        : clusterRatio;
  }

  /**
   * Expected CPU of each candidate without the pod in question, from what is known of the pods on
   * it: ratios, time of day, lifetimes, the node's own overhead and its last residual.
   *
   * @param horizons seconds after now, {@code [horizons]}
   * @return cores, {@code [horizons][candidates]}
   */
  public double[][] expectedCpu(Candidates candidates, double now, double[] horizons) {
    tick(now);
    clusterRatio(now);
    int n = candidates.size();
    double[][] out = new double[horizons.length][n];
    double[] sum = new double[horizons.length];
    double[] keep = new double[horizons.length];
    for (int h = 0; h < keep.length; h++) {
      keep[h] = config.residualWeight() * residualKept(horizons[h]);
    }
    NodeBook[] books = books(candidates);
    for (int i = 0; i < n; i++) {
      double capacity = candidates.cpuMilli()[i] / 1000.0;
      NodeBook node = books[i];
      if (node.capacity != capacity) {
        filter.forget(node);
        node.see(capacity, config.overheadFraction());
      }
      double known = addPods(node, now, horizons, sum);
      double unknown = candidates.cpuRequestedMilli()[i] / 1000.0 - known;
      double residual =
          node.last == null ? 0 : node.residual * residualKept(now - node.last.windowEnd());
      for (int h = 0; h < horizons.length; h++) {
        out[h][i] =
            Math.max(
                0, node.overhead.mean[0] + sum[h] + unknown * clusterRatio + keep[h] * residual);
      }
    }
    return out;
  }

  /** Share of an unexplained residual that is left after some seconds. */
  private double residualKept(double seconds) {
    return Math.exp(-Math.log(2) * seconds / config.residualHalfLife());
  }

  /** Adds up a node's pods into sum; returns the request cores that are accounted for. */
  private double addPods(NodeBook node, double now, double[] horizons, double[] sum) {
    Arrays.fill(sum, 0);
    boolean ledger = ledger(node);
    PodGroups groups = node.groups();
    if (ledger) {
      boolean learned = config.has(Part.OWNER_RATIOS);
      for (int i = 0; i < groups.owners().length; i++) {
        OwnerModel o = groups.owners()[i];
        o.forecast(now, horizons, clusterHazard, scratch);
        for (int h = 0; h < sum.length; h++) {
          double cores =
              learned
                  ? Math.max(0, groups.cores()[i] * o.ratioAt(h) + groups.deviation()[i])
                  : groups.cores()[i] * clusterRatio;
          sum[h] += cores * o.survivalAt(h);
        }
      }
    } else {
      for (PodBook p : node.pods) {
        addPod(p, seen(p, node), now, horizons, sum);
      }
    }
    if (!(ledger && config.has(Part.DEPARTURES))) {
      for (PodBook p : node.departed) {
        addPod(p, seen(p, node), now, horizons, sum);
      }
    }
    return groups.requested();
  }

  /** Whether what changed since the last sample counts. */
  private boolean ledger(NodeBook node) {
    return config.has(Part.LEDGER) || node.last == null;
  }

  private double seen(PodBook p, NodeBook node) {
    NodeSample last = node.last;
    return last == null ? 0 : p.coverage(last, config);
  }

  private void addPod(PodBook p, double weight, double now, double[] horizons, double[] sum) {
    OwnerModel o = p.owner;
    o.forecast(now, horizons, clusterHazard, scratch);
    boolean learned = config.has(Part.OWNER_RATIOS);
    for (int h = 0; h < sum.length; h++) {
      double ratio = learned ? Math.max(0, o.ratioAt(h) + p.deviation.mean[0]) : clusterRatio;
      sum[h] += weight * p.cores * ratio * o.survivalAt(h);
    }
  }

  /**
   * Expected CPU of a new pod while it lives, cores, {@code [horizons]}; and the chance that it
   * still lives, in {@code survival}.
   */
  public double[] expectedPodCpu(Pod pod, double now, double[] horizons, double[] survival) {
    tick(now);
    clusterRatio(now);
    double cores = Math.max(0.1, pod.cpuMilli() / 1000.0);
    double[] out = new double[horizons.length];
    @Nullable OwnerModel known = owners.get(pod.owner());
    OwnerModel o = known == null ? new OwnerModel(config, clusterRatio, now) : known;
    o.forecast(now, horizons, clusterHazard, scratch);
    for (int h = 0; h < out.length; h++) {
      out[h] = cores * (config.has(Part.OWNER_RATIOS) ? o.ratioAt(h) : clusterRatio);
      survival[h] = o.survivalAt(h);
    }
    return out;
  }

  /** Share of today's pods that still run at each horizon, {@code [horizons]}; kept for 30 s. */
  public double[] loadSurvival(double now, double[] horizons) {
    clusterRatio(now);
    if (loadSurvivalAt != clusterRatioAt || loadSurvival.length != horizons.length) {
      double[] left = new double[horizons.length];
      double pods = 0;
      for (OwnerModel o : owners.values()) {
        if (o.pods > 0) {
          o.forecast(now, horizons, clusterHazard, scratch);
          pods += o.pods;
          for (int h = 0; h < left.length; h++) {
            left[h] += o.pods * o.survivalAt(h);
          }
        }
      }
      for (int h = 0; h < left.length; h++) {
        left[h] = pods > 0 ? left[h] / pods : 1;
      }
      loadSurvival = left;
      loadSurvivalAt = clusterRatioAt;
    }
    return loadSurvival;
  }

  /** Mean ratio of the owners, each weighted by how certain it is; refreshed every 30 s. */
  private double clusterRatio(double now) {
    if (now < clusterRatioAt + 30) {
      return clusterRatio;
    }
    clusterRatioAt = now;
    double prior = square(config.priorRatioStd());
    double weight = 2;
    double sum = weight * config.priorRatio();
    double exposure = 0;
    double ends = 0;
    for (OwnerModel o : owners.values()) {
      double w = Math.max(0, 1 - o.meanVariance() / prior);
      weight += w;
      sum += w * o.meanRatio();
      exposure += o.exposure(now);
      ends += o.ends();
    }
    clusterRatio = sum / weight;
    clusterHazard = exposure > 0 ? ends / exposure : 0;
    return clusterRatio;
  }

  private void tick(double now) {
    clock = Math.max(clock, now);
    if (clock > idleCheckedAt + IDLE_CHECK) {
      idleCheckedAt = clock;
      forgetIdle(clock - IDLE_FOR);
    }
  }

  /** Every run of a Job is an owner of its own: without an end, they would fill the memory. */
  private void forgetIdle(double since) {
    for (Iterator<OwnerModel> i = owners.values().iterator(); i.hasNext(); ) {
      OwnerModel o = i.next();
      if (o.idleSince() < since) {
        i.remove();
        filter.forget(o);
      }
    }
  }

  private static double square(double x) {
    return x * x;
  }
}
