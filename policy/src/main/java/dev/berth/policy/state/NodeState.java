package dev.berth.policy.state;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Windows;
import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.StateEstimate;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node: the pods on it, those that just left, and its last samples. */
final class NodeState {
  /** CPU that a node is expected to spend on itself, as a fraction of its capacity. */
  private static final double OVERHEAD_FRACTION = 0.02;

  static final double MEAN_SECONDS = 300;

  private static final double ERROR_HALF_LIFE = 600;

  /** Part of its prior variance from which on a pod's deviation counts as known. */
  private static final double KNOWN = 0.7;

  final String name;

  /** Where it stands in the {@link NodeRows}. */
  final int row;

  private final NodeRows rows;

  /** Since when it is known. */
  private final double knownSince;

  /** In the order of binding. */
  final List<PodState> pods = new ArrayList<>();

  /** Pods that left but were still at work in a window that a sample may yet show. */
  final List<PodState> departed = new ArrayList<>();

  /** CPU capacity in cores; NaN until a decision or a measurement has named it. */
  double capacity = Double.NaN;

  /** CPU that the node spends on itself, in cores. */
  final StateEstimate overhead = new StateEstimate(0, 0);

  /** CPU that pods take here, against a node of average speed. */
  final StateEstimate slowness = new StateEstimate(1, 0);

  /**
   * CPU that pods take here against those of the same owners elsewhere, see {@link NodeEffects}.
   */
  private double effect = 1;

  /** Whether that is all there is to say, in the place of {@link #slowness}. */
  private boolean alone;

  /** By how much the measured pods differ from their owners; null where none is measured. */
  @Nullable Deviation deviation;

  /**
   * What was learned of the slowness, for what it is where no correlations are kept: the node's and
   * that of the pods on it together. Null where nothing was learned.
   */
  @Nullable Deviation ofSlowness;

  /**
   * Of some pods together, as a share of what their owners' ratios make of them.
   *
   * @param variance that their own differences bring to the mean
   */
  record Deviation(double mean, double variance) {}

  /** Unexplained part of the last sample that was learned from, in cores. */
  double residual;

  /**
   * What samples showed beyond what was expected of them: a mean that forgets half in ten minutes,
   * as a fraction of the node.
   */
  double meanError;

  /** End of the last window that the usage filter learned from. */
  double learnedUntil = Double.NEGATIVE_INFINITY;

  final NodeMemory memory = new NodeMemory();

  @Nullable NodeSample last;

  /** Mean CPU of the samples of the last five minutes, in cores; NaN without one. */
  double meanCpu = Double.NaN;

  /** Change from the oldest to the newest of them, in cores per minute. */
  double trendCpu;

  private @Nullable PodGroups groups;
  private boolean estimatesChanged;
  private final Deque<NodeSample> recent = new ArrayDeque<>();

  NodeState(String name, double knownSince, NodeRows rows, int row) {
    this.name = name;
    this.knownSince = knownSince;
    this.rows = rows;
    this.row = row;
  }

  /** To be called by whatever changes what the {@link NodeRows} hold of it. */
  private void changed() {
    rows.changed(row);
  }

  /** Adds a pod; {@link #pods} stays in the order of binding. */
  void add(PodState pod) {
    int at = pods.size();
    while (at > 0 && pods.get(at - 1).boundAt() > pod.boundAt()) {
      at--;
    }
    pods.add(at, pod);
    if (!Double.isNaN(capacity)) {
      pod.on(capacity);
    }
    memory.bound(pod);
    groups = null;
    changed();
  }

  void remove(PodState pod) {
    pods.remove(pod);
    memory.gone(pod);
    groups = null;
    changed();
  }

  /**
   * The pods by owner. A forecast walks over every pod of every candidate; at 5,000 nodes of 30
   * pods it waits for memory, so what it needs of them lies together here.
   */
  PodGroups groups() {
    PodGroups now = groups;
    if (now == null) {
      now = PodGroups.of(pods);
      groups = now;
    } else if (estimatesChanged) {
      now.measure(pods);
    }
    estimatesChanged = false;
    return now;
  }

  /** Estimates of the pods have changed. */
  void estimatesChanged() {
    estimatesChanged = true;
    changed();
  }

  /** It is a node of this size, of which nothing is known yet. */
  void setCapacity(double cores, UsageFilter filter) {
    filter.forget(overhead);
    capacity = cores;
    meanError = 0;
    double prior = priorOverhead(cores);
    overhead.set(prior, prior * prior);
    filter.resetSlowness(slowness);
    pods.forEach(p -> p.on(cores));
    departed.forEach(p -> p.on(cores));
    groups = null;
    changed();
  }

  /** Cores that a node of this size is expected to spend on itself before it is known better. */
  static double priorOverhead(double cores) {
    return OVERHEAD_FRACTION * cores;
  }

  /** Whether a sample's window has next to nothing in common with what was learned from. */
  boolean news(NodeSample s) {
    return Windows.news(learnedUntil, s.windowStart(), s.windowEnd());
  }

  /** The filter has learned from a sample whose window ended then. */
  void learned(UsageFilter.Surprise surprise, double windowEnd) {
    // The first of all counts as if a half-life had passed before it.
    double elapsed = Math.min(ERROR_HALF_LIFE, windowEnd - learnedUntil);
    double share = 1 - Math.pow(0.5, elapsed / ERROR_HALF_LIFE);
    meanError += share * (surprise.before() / capacity - meanError);
    residual = surprise.after();
    learnedUntil = windowEnd;
    ofSlowness = ofSlowness();
    changed();
  }

  /** Looks at every pod, as what was just learned from did: not for all nodes at once. */
  private @Nullable Deviation ofSlowness() {
    double expected = 0;
    double spread = 0;
    for (PodState p : pods) {
      expected += p.cores() * p.owner().meanRatio();
      spread += p.cores() * p.cores() * p.owner().podVariance();
    }
    double variance = slowness.variance() + spread / (expected * expected);
    return expected > 0 ? new Deviation(slowness.mean() - 1, variance) : null;
  }

  /**
   * CPU that a pod takes here, against a node of average speed: what was learned of the node, and
   * what its pods tell.
   */
  double wholeSlowness() {
    return alone ? effect : slowness.mean() * effect;
  }

  /** By how much its pods are expected to differ from what their owners and slowness say. */
  double effect() {
    return alone ? effect / slowness.mean() : effect;
  }

  /**
   * Sets what is due to the node.
   *
   * @param alone whether it was told from {@link #slowness}, and so stands for it
   */
  void effect(double effect, boolean alone) {
    this.effect = effect;
    this.alone = alone;
    changed();
  }

  /**
   * Sums up what samples of the pods themselves told of a window.
   *
   * @return what they showed beyond what was expected of the pods, cores
   */
  UsageFilter.Surprise podsMeasured(NodeSample s, UsageConfig config) {
    double before = 0;
    double after = 0;
    double expected = 0;
    double more = 0;
    double variance = 0;
    for (PodState p : pods) {
      PodState.Measured own = p.measured();
      double share = p.measuredShare(s, config);
      if (own != null && share > 0) {
        before += share * own.surprise().before();
        after += share * own.surprise().after();
        double spread = p.owner().podVariance();
        if (p.deviation().variance() < KNOWN * spread) {
          expected += p.cores() * p.owner().meanRatio();
          more += p.cores() * p.deviation().mean();
          variance += p.cores() * p.cores() * spread;
        }
      }
    }
    deviation =
        expected > 0 ? new Deviation(more / expected, variance / (expected * expected)) : null;
    return new UsageFilter.Surprise(before, after);
  }

  /**
   * Takes a sample over. One without CPU, after a query that failed, brings its other values only:
   * what the node used before is still known, and ages.
   */
  void addSample(NodeSample sample) {
    changed();
    if (!Double.isNaN(sample.memoryBytes())) {
      memory.sampled(sample.memoryBytes(), sample.windowEnd(), pods, departed);
    }
    NodeSample known = last;
    if (known != null && Double.isNaN(sample.cpuCores()) && !Double.isNaN(known.cpuCores())) {
      last = known.withAllButCpu(sample);
      return;
    }
    last = sample;
    if (!Double.isNaN(sample.cpuCores())) {
      recent.addLast(sample);
      while (recent.getFirst().windowEnd() < sample.windowEnd() - MEAN_SECONDS) {
        recent.removeFirst();
      }
      meanCpu = meanCpu(Double.NEGATIVE_INFINITY);
      trendCpu = trend();
    }
  }

  /**
   * Where the samples begin that tell of the time since some instant: a window counts as a whole,
   * if most of it lies there, and the last one always. To be asked of a node that has one.
   */
  double sampledFrom(double since) {
    for (NodeSample s : recent) {
      if ((s.windowStart() + s.windowEnd()) / 2 > since) {
        return s.windowStart();
      }
    }
    return recent.getLast().windowStart();
  }

  /** Mean CPU of the samples whose window began at {@code since} or later; NaN without one. */
  double meanCpu(double since) {
    double sum = 0;
    double seconds = 0;
    for (NodeSample s : recent) {
      double w = s.windowStart() < since ? 0 : s.windowEnd() - s.windowStart();
      sum += w * s.cpuCores();
      seconds += w;
    }
    return seconds > 0 ? sum / seconds : Double.NaN;
  }

  private double trend() {
    if (recent.size() < 2) {
      return 0;
    }
    NodeSample a = recent.getFirst();
    NodeSample b = recent.getLast();
    return 60 * (b.cpuCores() - a.cpuCores()) / Math.max(1, b.windowEnd() - a.windowEnd());
  }

  /** Pods bound after a point in time, still there: the last of {@link #pods}. */
  int bindsSince(double since) {
    int older = pods.size();
    while (older > 0 && pods.get(older - 1).boundAt() > since) {
      older--;
    }
    return pods.size() - older;
  }

  /** Pods bound from a number of binds on, still there. */
  int bindsFrom(long order) {
    int count = 0;
    for (PodState p : pods) {
      count += p.order() >= order ? 1 : 0;
    }
    return count;
  }

  /** Requests of the pods bound after the last sample's window, milli-cores; 0 without a sample. */
  double requestedSinceSample() {
    NodeSample sample = last;
    return sample == null ? 0 : requestedSince(sample.windowEnd());
  }

  /** Requests of the pods bound after a point in time, milli-cores. */
  double requestedSince(double since) {
    double milli = 0;
    for (int i = pods.size() - bindsSince(since); i < pods.size(); i++) {
      milli += pods.get(i).requestedMilli();
    }
    return milli;
  }

  /** Whether it is known since before a point in time, has no pods, and no sample since. */
  boolean idle(double since) {
    return knownSince < since && pods.isEmpty() && (last == null || last.windowEnd() < since);
  }

  /** The last sample where it is fresh, else null. */
  @Nullable NodeSample fresh(double now, UsageConfig config) {
    return state(now, config) == SampleState.FRESH ? last : null;
  }

  SampleState state(double now, UsageConfig config) {
    if (last == null || Double.isNaN(last.cpuCores())) {
      return SampleState.ABSENT;
    }
    double age = now - last.windowEnd();
    if (age > config.staleAfter()) {
      return SampleState.STALE;
    }
    return age > config.agingAfter() ? SampleState.AGING : SampleState.FRESH;
  }
}
