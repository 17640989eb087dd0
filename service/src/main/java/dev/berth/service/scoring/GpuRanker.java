package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.gpu.BestFit;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.PodShape;
import dev.berth.policy.gpu.value.NodeValueScorer;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ranks candidates for pods that ask for GPUs, and chooses the cards: by what a placement leaves of
 * a node for the pods that usually come. What usually comes is the pods asked about so far; until
 * there are enough of them, best fit decides.
 *
 * <p>Not thread-safe: the scorer's lock guards it.
 */
final class GpuRanker {
  private static final int LEAST_PODS = 50;
  private static final int MOST_PODS = 5_000;
  private static final int REFRESH_EVERY = 200;

  private final Supplier<ValueModel> model;
  private final Deque<PodShape> seen = new ArrayDeque<>();
  private GpuPolicy policy = new GpuPolicy(new BestFit());
  private @Nullable ValueModel loaded;
  private int sinceRefresh = REFRESH_EVERY;

  /**
   * @param model loaded when the first GPU pods have been seen; most clusters have none
   */
  GpuRanker(Supplier<ValueModel> model) {
    this.model = model;
  }

  /** Whether a decision is about cards. */
  static boolean concerns(Pod pod, Candidates candidates) {
    return pod.gpu().count() > 0 && candidates.gpus() != null;
  }

  /** A ranking with cards. */
  Answer rank(Decision d) {
    remember(d);
    double[] preferences = new double[d.candidates().size()];
    policy.score(d, preferences);
    int[][] cards = policy.cards(d);
    levelWithoutRoom(preferences, cards);
    return new Answer(policy.name(), new Ranking(preferences, null, null, -1, 1, false), cards);
  }

  private void remember(Decision d) {
    seen.addLast(PodShape.of(d.pod()));
    if (seen.size() > MOST_PODS) {
      seen.removeFirst();
    }
    if (++sinceRefresh < REFRESH_EVERY || seen.size() < LEAST_PODS) {
      return;
    }
    sinceRefresh = 0;
    if (loaded == null) {
      loaded = model.get();
    }
    WorkloadProfile workload = WorkloadProfile.of(List.copyOf(seen), emptied(d.candidates()));
    policy = new GpuPolicy(new NodeValueScorer("gpu-value", loaded, workload));
  }

  /** The candidates as they are when empty. */
  private static List<GpuNode> emptied(Candidates c) {
    GpuColumns gpus = c.gpus();
    List<GpuNode> nodes = new ArrayList<>();
    for (int i = 0; gpus != null && i < c.size(); i++) {
      nodes.add(
          new GpuNode(
              c.names()[i],
              gpus.models()[i],
              gpus.freeMilli()[i].length,
              c.cpuMilli()[i],
              c.memoryBytes()[i]));
    }
    return nodes;
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
