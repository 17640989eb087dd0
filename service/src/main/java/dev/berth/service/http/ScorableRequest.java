package dev.berth.service.http;

import dev.berth.policy.cluster.Candidates;
import dev.berth.service.scoring.NodeRanking;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was asked, without the candidates of which nothing can be computed: a node that offers no
 * CPU, memory or pods at all, or on which a thousand times as much is requested as it has, would
 * turn the features of every other candidate into nonsense too, for these are relative to all.
 *
 * @param contract revision of the contract that the asker speaks
 * @param asked number of candidates in the request
 * @param kept positions of those that are scored, null for all
 */
record ScorableRequest(ScoreRequest request, int contract, int asked, int @Nullable [] kept) {
  private static final double MAX_TIMES_FULL = 1000;

  static ScorableRequest of(ScoreRequest request, int contract) {
    Candidates c = request.candidates();
    int n = c.size();
    int first = 0;
    while (first < n && scorable(c, first)) {
      first++;
    }
    if (first == n) {
      return new ScorableRequest(request, contract, n, null);
    }
    int[] kept = IntStream.range(0, n).filter(i -> scorable(c, i)).toArray();
    if (kept.length == 0) {
      throw Problem.badRequest(
          "no candidate can be scored: '"
              + c.names()[0]
              + "' and all others have 0 of cpuMilli, memoryBytes or podLimit, or requests of over "
              + "1000 times that");
    }
    return new ScorableRequest(request.of(c.only(kept)), contract, n, kept);
  }

  private static boolean scorable(Candidates c, int i) {
    return fits(c.cpuRequestedMilli()[i], c.pendingCpuMilli()[i], c.cpuMilli()[i])
        && fits(c.memoryRequestedBytes()[i], c.pendingMemoryBytes()[i], c.memoryBytes()[i])
        && fits(c.podCount()[i], c.pendingPods()[i], c.podLimit()[i]);
  }

  /** False where {@code capacity} is 0, too. */
  private static boolean fits(long requested, long pending, long capacity) {
    double most = MAX_TIMES_FULL * capacity;
    return capacity > 0 && requested <= most && pending <= most;
  }

  /** The ranking with the left-out candidates in their places: nothing is said of them. */
  NodeRanking widen(NodeRanking ranking) {
    if (kept == null) {
      return ranking;
    }
    double[] preferences = new double[asked];
    double[] drops = new double[asked];
    Arrays.fill(preferences, Double.NaN);
    for (int i = 0; i < kept.length; i++) {
      preferences[kept[i]] = ranking.preferences()[i];
      drops[kept[i]] = ranking.drops()[i];
    }
    return new NodeRanking(ranking.decision(), preferences, drops, ranking.instance());
  }

  /**
   * The answer with the left-out candidates in their places: the mean of the others, which neither
   * attracts nor repels.
   */
  ScoreReply widen(ScoreReply reply) {
    if (kept == null) {
      return reply;
    }
    int[] scores = new int[asked];
    Arrays.fill(scores, (int) Math.round(IntStream.of(reply.scores()).average().orElseThrow()));
    int[][] given = reply.gpuCards();
    int[][] cards = given == null ? null : new int[asked][0];
    for (int i = 0; i < kept.length; i++) {
      scores[kept[i]] = reply.scores()[i];
      if (given != null && cards != null) {
        cards[kept[i]] = given[i];
      }
    }
    return new ScoreReply(
        reply.decision(),
        scores,
        reply.policy(),
        reply.mode(),
        reply.modelVersion(),
        reply.basis(),
        reply.instance(),
        reply.propensity(),
        reply.explored(),
        cards,
        reply.reason());
  }
}
