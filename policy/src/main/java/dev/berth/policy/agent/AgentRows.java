package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.features.FeatureColumns;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.reward.RewardTerm.FeatureColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a decision as an agent sees them, made when they are asked for. Thread-safe. */
public final class AgentRows {
  /** Of a candidate before any row is made, about. */
  private static final long CANDIDATE_BYTES = 230;

  private final FeatureColumns columns;
  private final boolean context;
  private final List<FeatureColumn> added;
  private volatile @Nullable FeatureRows all;

  /** Reads the cluster state: its owner's lock must be held. */
  AgentRows(AgentConfig config, Decision d, Forecast forecast) {
    columns = new FeatureColumns(d, forecast);
    context = config.architecture().context();
    added = config.task().rewards().featureColumns(d);
  }

  /** Those of all candidates, made once. */
  public FeatureRows all() {
    FeatureRows made = all;
    if (made == null) {
      made = as(columns.rows());
      for (FeatureColumn column : added) {
        made = made.with(column.before(), column.after());
      }
      all = made;
    }
    return made;
  }

  /** Those of some candidates, in the order given; what compares them is that of all. */
  public FeatureRows of(int[] chosen) {
    FeatureRows made = as(columns.rows(chosen));
    for (FeatureColumn column : added) {
      made =
          made.with(
              OpenDecision.take(column.before(), chosen),
              OpenDecision.take(column.after(), chosen));
    }
    return made;
  }

  private FeatureRows as(FeatureRows rows) {
    return context ? rows : rows.withoutContext();
  }

  /** Bytes on the heap, about. */
  long bytes() {
    FeatureRows made = all;
    long rows = made == null ? 0 : 4L * (made.before().length + made.after().length);
    return CANDIDATE_BYTES * columns.candidates() + rows;
  }
}
