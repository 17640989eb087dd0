package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.BestFit;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.value.NodeValuePolicy;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.service.queue.Newest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ranks candidates for pods that ask for GPUs, and chooses the cards: by what a placement leaves of
 * a node for the pods that usually come. What usually comes is the pods asked about so far, on the
 * nodes known so far; until there are enough of them, best fit decides.
 *
 * <p>Thread-safe by a lock of its own, for pods without GPUs must not wait for it. Working out what
 * usually comes takes 7 to 165 ms, on another thread and outside the lock.
 */
final class GpuRanker {
  private static final Logger log = LoggerFactory.getLogger(GpuRanker.class);
  private static final int MIN_PODS = 50;
  private static final int MAX_PODS = 5_000;
  private static final int REFRESH_EVERY = 200;

  private final Supplier<ValueModel> model;
  private final Supplier<List<GpuNode>> known;
  private final Executor background;
  private final ReentrantLock lock = new ReentrantLock();

  /** By uid: a pod that cannot be bound is asked about again and again, and comes once. */
  private final Map<String, PodRequests> seen = new Newest<>(MAX_PODS);

  private GpuPolicy policy = new BestFit();
  private @Nullable ValueModel loaded;
  private int sinceRefresh = REFRESH_EVERY;
  private boolean refreshing;

  /**
   * @param model loaded when the first GPU pods have been seen; most clusters have none
   * @param known the nodes with cards, as they are when empty
   * @param background runs the solving: once for {@value #REFRESH_EVERY} GPU pods, never two at a
   *     time
   */
  GpuRanker(Supplier<ValueModel> model, Supplier<List<GpuNode>> known, Executor background) {
    this.model = model;
    this.known = known;
    this.background = background;
  }

  /** Whether a decision is about cards. */
  static boolean concerns(Pod pod, Candidates candidates) {
    return pod.gpu().count() > 0 && candidates.gpus() != null;
  }

  /** A ranking with cards. */
  Answer rank(Decision d) {
    double[] preferences = new double[d.candidates().size()];
    int[][] cards;
    String name;
    boolean due;
    lock.lock();
    try {
      due = remember(d);
      policy.score(d, preferences);
      cards = policy.cards(d);
      name = policy.name();
    } finally {
      lock.unlock();
    }
    if (due) {
      background.execute(this::refresh);
    }
    levelWithoutRoom(preferences, cards);
    return new Answer(name, Ranking.of(preferences), cards);
  }

  /** Whether it is time for a refresh. */
  private boolean remember(Decision d) {
    if (seen.put(d.pod().uid(), d.pod().requests()) == null) {
      sinceRefresh++;
    }
    if (refreshing || sinceRefresh < REFRESH_EVERY || seen.size() < MIN_PODS) {
      return false;
    }
    refreshing = true;
    sinceRefresh = 0;
    return true;
  }

  private void refresh() {
    try {
      List<GpuNode> nodes = known.get();
      if (nodes.isEmpty()) {
        return;
      }
      WorkloadProfile workload = WorkloadProfile.of(pods(), nodes);
      if (loaded == null) {
        loaded = model.get();
      }
      use(new NodeValuePolicy("gpu-value", loaded, workload));
    } catch (RuntimeException e) {
      log.warn("GPU pods go on being placed as before: their workload cannot be worked out", e);
    } finally {
      finished();
    }
  }

  private List<PodRequests> pods() {
    lock.lock();
    try {
      return List.copyOf(seen.values());
    } finally {
      lock.unlock();
    }
  }

  private void use(GpuPolicy next) {
    lock.lock();
    try {
      policy = next;
    } finally {
      lock.unlock();
    }
  }

  private void finished() {
    lock.lock();
    try {
      refreshing = false;
    } finally {
      lock.unlock();
    }
  }

  /** Candidates without room get the worst value of the others: they must not stretch the scale. */
  private static void levelWithoutRoom(double[] preferences, int[][] cards) {
    double worst = Double.POSITIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      worst = cards[i].length > 0 ? Math.min(worst, preferences[i]) : worst;
    }
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] = cards[i].length > 0 ? preferences[i] : worst;
    }
  }

  /**
   * What the ranker says.
   *
   * @param cards per candidate, empty where there is no room
   */
  record Answer(String policy, Ranking ranking, int[][] cards) {}
}
