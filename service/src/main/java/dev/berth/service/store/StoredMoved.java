package dev.berth.service.store;

import dev.berth.policy.agent.Attribution;
import dev.berth.service.scoring.DecisionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which features moved the learned correction.
 *
 * @param feature names
 * @param by what each of them adds to the correction, before its clip, against a node with the mean
 *     of that feature, {@code [features]}; row by row as {@code nodes}, null in the rows of
 *     candidates of which nothing could be said
 */
public record StoredMoved(List<String> feature, List<double @Nullable []> by) {

  /**
   * Works them out; null for a decision of a policy that does not learn.
   *
   * @param rows of the best candidates
   */
  static @Nullable StoredMoved of(DecisionRecord d, int rows) {
    DecisionRecord.Learnable learnable = d.learnable();
    if (learnable == null) {
      return null;
    }
    Attribution all = Attribution.of(learnable.policy(), learnable.state());
    int[] sound = d.request().candidates().sound();
    List<double @Nullable []> by = new ArrayList<>();
    for (int candidate : CandidateColumns.best(d.reply().scores(), rows)) {
      int i = Arrays.binarySearch(sound, candidate);
      by.add(i < 0 ? null : Arrays.stream(all.moved()).mapToDouble(column -> column[i]).toArray());
    }
    return new StoredMoved(all.features(), by);
  }
}
