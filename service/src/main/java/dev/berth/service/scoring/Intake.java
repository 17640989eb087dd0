package dev.berth.service.scoring;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.metrics.ServiceMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes in what is heard of the cluster: outcomes of placements, samples of nodes and pods, sizes
 * of nodes.
 *
 * <p>Thread-safe, by the lock of {@link SharedState}: held for a part of a batch at a time, so that
 * a request never waits for a whole one.
 */
public final class Intake {
  /** Samples of nodes taken in under one hold of the lock. */
  private static final int FEED_CHUNK = 250;

  /**
   * How long samples of pods are taken in under one hold of the lock: each takes 30 us where few
   * nodes are known and correlated, a half where there are many.
   */
  private static final long POD_NANOS = 1_000_000;

  /** Events taken in under one hold of the lock: about half a millisecond. */
  private static final int EVENT_CHUNK = 100;

  private final SharedState shared;
  private final ClusterState state;
  private final PodTable pods;
  private final PlacementMeter placements = new PlacementMeter();
  private final ForecastCheck forecasts;
  private final ServiceMetrics metrics;
  private final ScorerSink sink;
  private volatile long snapshot;

  /**
   * @param forecasts compared with each sample
   * @param sink told of outcomes and of what was measured, on the caller's thread
   */
  Intake(SharedState shared, ForecastCheck forecasts, ServiceMetrics metrics, ScorerSink sink) {
    this.shared = shared;
    this.state = shared.state();
    this.pods = new PodTable(state);
    this.forecasts = forecasts;
    this.metrics = metrics;
    this.sink = sink;
  }

  /** Takes over what ran when the last process stopped. Once, before the first request. */
  public void restore(List<RunningPod> running) {
    shared.lock();
    try {
      pods.restore(running, shared.now());
    } finally {
      shared.unlock();
    }
  }

  /** Takes in events in their order, some at a time: a score waits for no long batch. */
  public void apply(List<OutcomeEvent> events) {
    for (OutcomeEvent event : events) {
      metrics.events.labelValues(event.type().wireName()).inc();
      Without without = event.without();
      if (without != null) {
        metrics.others.labelValues(without.node().equals(event.node()) ? "same" : "other").inc();
      }
    }
    List<String> forgotten = takeIn(events, shared::lock);
    sink.happened(events);
    tell(forgotten);
  }

  private void tell(List<String> forgotten) {
    if (!forgotten.isEmpty()) {
      sink.forgotten(forgotten);
    }
  }

  /** Takes in the events that come with a question, at once: whoever else waits goes on waiting. */
  void first(List<OutcomeEvent> events) {
    tell(takeIn(events, shared::lockFirst));
  }

  /** Returns the pods that are gone, see {@link PodTable#apply}. */
  private List<String> takeIn(List<OutcomeEvent> events, Runnable lock) {
    List<String> forgotten = new ArrayList<>();
    for (int from = 0; from < events.size(); from += EVENT_CHUNK) {
      lock.run();
      try {
        List<OutcomeEvent> some = events.subList(from, Math.min(events.size(), from + EVENT_CHUNK));
        double now = shared.now();
        forgotten.addAll(pods.apply(some, now));
        forgotten.removeIf(pods::knows); // of a former part of the batch, and here again
        placements.happened(some, state, now);
        shared.journal().applied(now, some);
      } finally {
        shared.unlock();
      }
    }
    return forgotten;
  }

  /**
   * Takes in samples of pods, before those of their nodes that were taken with them, some at a
   * time.
   */
  public void observe(List<PodSample> samples) {
    int from = 0;
    while (from < samples.size()) {
      shared.lock();
      try {
        double visibleAt = shared.now();
        long begun = System.nanoTime();
        int to = from;
        do {
          state.sample(samples.get(to++), visibleAt);
        } while (to < samples.size() && System.nanoTime() - begun < POD_NANOS);
        shared.journal().measured(visibleAt, samples.subList(from, to));
        from = to;
      } finally {
        shared.unlock();
      }
    }
  }

  /** Takes in the samples of a snapshot; those that are no news are skipped. */
  public void observe(List<NodeSample> snapshotSamples, long snapshotNumber) {
    for (int from = 0; from < snapshotSamples.size(); from += FEED_CHUNK) {
      List<NodeSample> some =
          snapshotSamples.subList(from, Math.min(snapshotSamples.size(), from + FEED_CHUNK));
      shared.lock();
      try {
        double visibleAt = shared.now();
        for (NodeSample sample : some) {
          state.sample(sample, visibleAt);
          forecasts.sampled(sample, visibleAt, state);
        }
        shared.journal().observed(visibleAt, some);
      } finally {
        shared.unlock();
      }
    }
    snapshot = snapshotNumber;
    forecasts.sampled(shared.now());
    measure();
  }

  /** Looks at the nodes of pods placed five minutes ago, some at a time: a score may wait. */
  private void measure() {
    boolean more = true;
    while (more) {
      List<Measured> found = new ArrayList<>();
      shared.lock();
      try {
        more = placements.measure(shared.now(), state, found);
      } finally {
        shared.unlock();
      }
      if (!found.isEmpty()) {
        sink.measured(found);
      }
    }
  }

  /** Placed pods whose nodes nobody will look at, because too many waited. */
  public long unmeasured() {
    return placements.dropped();
  }

  /**
   * Takes in how many cores nodes were measured to have: what counts until a decision names them.
   */
  public void sized(Map<String, Double> cores) {
    shared.lock();
    try {
      double now = shared.now();
      Map<String, Double> news = new TreeMap<>();
      cores.forEach(
          (node, each) -> {
            if (state.sized(node, each, now)) {
              news.put(node, each);
            }
          });
      if (!news.isEmpty()) {
        shared.journal().sized(now, news);
      }
    } finally {
      shared.unlock();
    }
  }

  /** Pods that were told of and not taken in, because too many are known. */
  public long refusedPods() {
    return pods.refused();
  }

  /** Pods that are taken in at most. */
  public static int mostPods() {
    return PodTable.most();
  }

  /** Number of the last snapshot that was taken in. */
  long snapshot() {
    return snapshot;
  }

  /** Running pods by name. */
  public PodNames names() {
    return pods.names();
  }
}
