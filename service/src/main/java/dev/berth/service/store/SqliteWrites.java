package dev.berth.service.store;

import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Without;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The writer's statements, prepared once. Used by the writer thread only. */
final class SqliteWrites {
  /** Deleted at once when the file is full; a group that is written has as many at most. */
  private static final int OLDEST = 500;

  /**
   * A choice takes a hundredth of the bytes of a decision with its candidates, and reports want
   * weeks of them: when the file is full they stay so many times as long.
   */
  private static final int CHOICES_STAY = 20;

  /**
   * Where the file is full, decisions go before all is known of them: what came after would stay,
   * for it goes with its decision, and the file grow beyond its size.
   */
  private static final String KEPT = " WHERE EXISTS (SELECT 1 FROM decisions WHERE id = ?1)";

  private final PreparedStatement decision;
  private final PreparedStatement outcome;
  private final PreparedStatement reward;
  private final PreparedStatement measured;
  private final PreparedStatement reckoned;
  private final PreparedStatement choice;
  private final PreparedStatement hindsight;
  private final PreparedStatement putPod;
  private final PreparedStatement removePod;
  private final PreparedStatement removePodFrom;
  private final List<PreparedStatement> sweeps;
  private final PreparedStatement sweepChoices;
  private final List<PreparedStatement> oldest;

  SqliteWrites(Connection db) throws SQLException {
    // Asked twice under one id, the newer answer is the one the plugin used.
    decision =
        db.prepareStatement(
            "INSERT OR REPLACE INTO decisions VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    outcome =
        db.prepareStatement(
            "INSERT OR IGNORE INTO outcomes(at, type, decision, pod_uid, node, others)"
                + " VALUES (?,?,?,?,?,?)");
    reward = db.prepareStatement("INSERT OR REPLACE INTO rewards SELECT ?1, ?2, ?3" + KEPT);
    measured = db.prepareStatement("INSERT OR REPLACE INTO measured SELECT ?1, ?2, ?3, ?4" + KEPT);
    reckoned = db.prepareStatement("INSERT OR REPLACE INTO reckoned SELECT ?1, ?2" + KEPT);
    choice =
        db.prepareStatement(
            "INSERT OR REPLACE INTO choices(decision, at, owner, by_berth, node, ours, forecast)"
                + " VALUES (?,?,?,?,?,?,?)");
    hindsight = db.prepareStatement("UPDATE choices SET measured = ?, gap = ? WHERE decision = ?");
    // Reported again on the same node, a pod keeps the time it was first seen there: its row stays.
    putPod =
        db.prepareStatement(
            """
            INSERT INTO pods VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            ON CONFLICT(uid) DO UPDATE SET since = excluded.since, node = excluded.node
              WHERE node <> excluded.node
            """);
    removePod = db.prepareStatement("DELETE FROM pods WHERE uid = ?");
    removePodFrom = db.prepareStatement("DELETE FROM pods WHERE uid = ? AND node = ?");
    sweeps =
        List.of(
            db.prepareStatement(
                "DELETE FROM rewards WHERE decision IN (SELECT id FROM decisions WHERE at < ?)"),
            db.prepareStatement(
                "DELETE FROM measured WHERE decision IN (SELECT id FROM decisions WHERE at < ?)"),
            db.prepareStatement(
                "DELETE FROM reckoned WHERE decision IN (SELECT id FROM decisions WHERE at < ?)"),
            db.prepareStatement("DELETE FROM decisions WHERE at < ?"),
            db.prepareStatement("DELETE FROM outcomes WHERE at < ?"));
    sweepChoices = db.prepareStatement("DELETE FROM choices WHERE at < ?");
    String before = " ORDER BY at LIMIT 1 OFFSET " + OLDEST;
    oldest =
        List.of(
            db.prepareStatement("SELECT at FROM decisions" + before),
            db.prepareStatement("SELECT at FROM outcomes" + before));
  }

  void decision(DecisionRow row) throws SQLException {
    row.set(decision);
    decision.executeUpdate();
  }

  void outcomes(List<OutcomeEvent> events) throws SQLException {
    Map<String, @Nullable String> placed = new HashMap<>();
    for (OutcomeEvent event : events) {
      if (event.type().marksList()) {
        continue; // what it leads to arrives as forget
      }
      // Read with its decision only: of most pods of a burst the service was not asked, and four
      // indexes cost more than the row of the pod. A full list is the state of the cluster, no
      // news.
      if (event.decision() != null && event.type() != OutcomeEvent.Type.ASSIGNED) {
        outcome.setDouble(1, event.at());
        outcome.setString(2, event.type().wireName());
        outcome.setString(3, event.decision());
        outcome.setString(4, event.uid());
        outcome.setString(5, event.node());
        outcome.setString(6, StoredWithout.text(event.without()));
        outcome.executeUpdate();
      }
      if (!event.type().places()) {
        placed.remove(event.uid());
        gone(event);
      } else if (!Objects.equals(placed.put(event.uid(), event.node()), event.node())) {
        pod(event); // bound where it was reserved, it stands there already
      }
    }
  }

  private void pod(OutcomeEvent event) throws SQLException {
    Pod pod = event.pod();
    if (pod == null) {
      throw new IllegalStateException("an event that places a pod has none");
    }
    PreparedStatement sql = putPod;
    sql.setString(1, pod.uid());
    sql.setString(2, pod.name());
    sql.setString(3, pod.namespace());
    sql.setString(4, pod.owner());
    sql.setInt(5, pod.priority());
    sql.setLong(6, pod.cpuMilli());
    sql.setLong(7, pod.memoryBytes());
    sql.setInt(8, pod.gpu().count());
    sql.setInt(9, pod.gpu().milli());
    sql.setString(10, String.join(",", pod.gpu().models()));
    nullable(sql, 11, pod.latency().softMillis());
    nullable(sql, 12, pod.latency().hardMillis());
    sql.setString(13, event.node());
    sql.setDouble(14, event.at());
    sql.executeUpdate();
  }

  /** A reservation taken back on one node says nothing about the same pod on another. */
  private void gone(OutcomeEvent event) throws SQLException {
    boolean anywhere = event.type() == OutcomeEvent.Type.GONE || event.node() == null;
    PreparedStatement sql = anywhere ? removePod : removePodFrom;
    sql.setString(1, event.uid());
    if (!anywhere) {
      sql.setString(2, event.node());
    }
    sql.executeUpdate();
  }

  void forget(List<String> podUids) throws SQLException {
    for (String uid : podUids) {
      removePod.setString(1, uid);
      removePod.executeUpdate();
    }
  }

  void rewards(List<RewardRecord> rewards) throws SQLException {
    for (RewardRecord r : rewards) {
      reward.setString(1, r.decision());
      reward.setDouble(2, r.at());
      reward.setDouble(3, r.reward());
      reward.executeUpdate();
    }
  }

  void measured(List<Measured> all) throws SQLException {
    for (Measured m : all) {
      measured.setString(1, m.decision());
      measured.setDouble(2, m.at());
      measured.setDouble(3, m.usage());
      measured.setDouble(4, m.without());
      measured.executeUpdate();
    }
  }

  void reckoned(String decision, Without stock) throws SQLException {
    reckoned.setString(1, decision);
    reckoned.setString(2, StoredWithout.text(stock));
    reckoned.executeUpdate();
  }

  void chosen(Choice c) throws SQLException {
    choice.setString(1, c.decision());
    choice.setDouble(2, c.at());
    choice.setString(3, c.owner());
    choice.setBoolean(4, c.byBerth());
    choice.setString(5, c.node());
    choice.setString(6, c.ours());
    choice.setObject(7, c.forecast());
    choice.executeUpdate();
  }

  void judged(List<Hindsight> all) throws SQLException {
    for (Hindsight h : all) {
      hindsight.setObject(1, h.regret());
      hindsight.setDouble(2, h.gap());
      hindsight.setString(3, h.decision());
      hindsight.executeUpdate();
    }
  }

  /**
   * Deletes the oldest decisions, and outcomes as old, a few hundred at a time.
   *
   * @param now seconds since the epoch
   */
  void deleteOldest(double now) throws SQLException {
    for (PreparedStatement sql : oldest) {
      try (ResultSet row = sql.executeQuery()) {
        if (row.next()) {
          double before = row.getDouble(1);
          sweep(before, now - CHOICES_STAY * Math.max(0, now - before));
          return;
        }
      }
    }
  }

  void sweep(double before, double choicesBefore) throws SQLException {
    for (PreparedStatement sql : sweeps) {
      sql.setDouble(1, before);
      sql.executeUpdate();
    }
    sweepChoices.setDouble(1, choicesBefore);
    sweepChoices.executeUpdate();
  }

  private static void nullable(PreparedStatement sql, int index, double value) throws SQLException {
    if (Double.isNaN(value)) {
      sql.setNull(index, Types.REAL);
    } else {
      sql.setDouble(index, value);
    }
  }
}
