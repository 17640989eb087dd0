package dev.berth.service.store;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.predict.BaseTerms;
import dev.berth.policy.predict.Forecast;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.ScoreReply;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it is written: what waits for the writer must not hold the whole request.
 *
 * @param columns of the table, in its order
 */
record DecisionRow(@Nullable Object[] columns) {
  private static final int OWN_BYTES = 1_000;

  /**
   * @param kept candidates to keep, the best ones
   */
  static DecisionRow of(DecisionRecord d, int kept) {
    Pod pod = d.request().pod();
    ScoreReply reply = d.reply();
    return new DecisionRow(
        new @Nullable Object[] {
          d.request().decision(),
          d.at(),
          d.request().scheduler(),
          d.request().mode().wireName(),
          pod.uid(),
          pod.namespace() + "/" + pod.name(),
          pod.owner(),
          pod.cpuMilli(),
          pod.memoryBytes(),
          reply.policy(),
          reply.modelVersion(),
          reply.basis(),
          reply.propensity(),
          reply.explored(),
          reply.reason(),
          reply.scores().length,
          CandidateColumns.json(d, kept),
          basis(d)
        });
  }

  /** What all candidates have in common of why they rank as they do; null where nobody says. */
  static @Nullable String basis(DecisionRecord d) {
    Forecast forecast = d.forecast();
    return forecast == null
        ? null
        : StoredTerms.text(BaseTerms.Basis.of(forecast, d.request().pod().cpuMilli()));
  }

  void set(PreparedStatement sql) throws SQLException {
    for (int i = 0; i < columns.length; i++) {
      sql.setObject(i + 1, columns[i]);
    }
  }

  /** Bytes on the heap, about. */
  long bytes() {
    long bytes = OWN_BYTES;
    for (Object column : columns) {
      bytes += column instanceof String text ? text.length() : 0;
    }
    return bytes;
  }
}
