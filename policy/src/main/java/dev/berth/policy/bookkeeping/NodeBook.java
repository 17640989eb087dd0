package dev.berth.policy.bookkeeping;

import dev.berth.policy.cluster.NodeSample;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node: the pods on it, those that just left, and its last samples. */
final class NodeBook {
  static final double MEAN_SECONDS = 300;

  final String name;
  final List<PodBook> pods = new ArrayList<>();

  /** Pods that left but were still at work in a window that a sample may yet show. */
  final List<PodBook> departed = new ArrayList<>();

  /** CPU capacity in cores; NaN until a decision has named it. */
  double capacity = Double.NaN;

  /** CPU the node spends on itself, in cores. */
  final Belief overhead = new Belief(0, 0);

  /** Unexplained part of the last sample, in cores. */
  double residual;

  @Nullable NodeSample last;
  private final Deque<NodeSample> recent = new ArrayDeque<>();

  NodeBook(String name) {
    this.name = name;
  }

  void see(double cores, double overheadFraction) {
    capacity = cores;
    overhead.mean[0] = overheadFraction * cores;
    overhead.covariance[0] = overhead.mean[0] * overhead.mean[0];
  }

  void remember(NodeSample sample) {
    last = sample;
    if (!Double.isNaN(sample.cpuCores())) {
      recent.addLast(sample);
      while (recent.getFirst().windowEnd() < sample.windowEnd() - MEAN_SECONDS) {
        recent.removeFirst();
      }
    }
  }

  /** Mean CPU of the samples of the last five minutes, in cores; NaN without one. */
  double meanCpu() {
    return meanCpu(Double.NEGATIVE_INFINITY);
  }

  /** The same of the samples whose window ended at {@code since} or later. */
  double meanCpu(double since) {
    double sum = 0;
    double seconds = 0;
    for (NodeSample s : recent) {
      double w = s.windowEnd() < since ? 0 : s.windowEnd() - s.windowStart();
      sum += w * s.cpuCores();
      seconds += w;
    }
    return seconds > 0 ? sum / seconds : Double.NaN;
  }

  /** Standard deviation of those samples around their mean, in cores; NaN without one. */
  double stdCpu() {
    double mean = meanCpu();
    double sum = 0;
    for (NodeSample s : recent) {
      sum += (s.cpuCores() - mean) * (s.cpuCores() - mean);
    }
    return recent.isEmpty() ? Double.NaN : Math.sqrt(sum / recent.size());
  }

  /** Change of CPU from the oldest to the newest of those samples, in cores per minute. */
  double trendCpu() {
    if (recent.size() < 2) {
      return 0;
    }
    NodeSample a = recent.getFirst();
    NodeSample b = recent.getLast();
    return 60 * (b.cpuCores() - a.cpuCores()) / Math.max(1, b.windowEnd() - a.windowEnd());
  }

  SampleState state(double now, BookkeepingConfig config) {
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
