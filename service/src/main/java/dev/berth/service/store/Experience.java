package dev.berth.service.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a running service has learned from, read from its experience store beside it (SQLite's WAL
 * mode lets a reader look on).
 *
 * @param decisions decisions of bound pods since the given time
 * @param transitions those of them with a measured reward
 * @param modelVersions versions that made them, oldest first
 * @param servedByNewModel those made by a version newer than the first
 * @param rewardTrend mean reward of each fifth of the transitions, in the order of the decisions;
 *     empty below five
 */
public record Experience(
    int decisions,
    int transitions,
    List<Long> modelVersions,
    int servedByNewModel,
    List<Double> rewardTrend) {
  private static final int PARTS = 5;

  /**
   * @param file the service's experience.db
   * @param since epoch seconds
   * @throws IOException when the file is no experience store
   */
  public static Experience read(Path file, double since) throws IOException {
    try {
      return query(file, since);
    } catch (SQLException e) {
      throw new IOException("cannot read experience store " + file + ": " + e.getMessage(), e);
    }
  }

  private static Experience query(Path file, double since) throws SQLException {
    try (Connection db = SqliteReads.readOnly(file)) {
      List<Long> versions = new ArrayList<>();
      int decisions = 0;
      int newer = 0;
      try (PreparedStatement sql =
          db.prepareStatement(
              "SELECT d.model_version, count(DISTINCT d.id) FROM decisions d"
                  + " JOIN outcomes o ON o.decision = d.id AND o.type = 'bound'"
                  + " WHERE d.at >= ? GROUP BY d.model_version ORDER BY d.model_version")) {
        sql.setDouble(1, since);
        ResultSet rows = sql.executeQuery();
        while (rows.next()) {
          newer += versions.isEmpty() ? 0 : rows.getInt(2);
          versions.add(rows.getLong(1));
          decisions += rows.getInt(2);
        }
      }
      List<Double> rewards = rewards(db, since);
      return new Experience(decisions, rewards.size(), versions, newer, trend(rewards));
    }
  }

  private static List<Double> rewards(Connection db, double since) throws SQLException {
    List<Double> rewards = new ArrayList<>();
    try (PreparedStatement sql =
        db.prepareStatement(
            "SELECT r.reward FROM rewards r JOIN decisions d ON d.id = r.decision"
                + " WHERE d.at >= ? ORDER BY d.at")) {
      sql.setDouble(1, since);
      ResultSet rows = sql.executeQuery();
      while (rows.next()) {
        rewards.add(rows.getDouble(1));
      }
    }
    return rewards;
  }

  private static List<Double> trend(List<Double> rewards) {
    List<Double> means = new ArrayList<>();
    for (int part = 0; part < PARTS && rewards.size() >= PARTS; part++) {
      int from = part * rewards.size() / PARTS;
      int to = (part + 1) * rewards.size() / PARTS;
      means.add(
          rewards.subList(from, to).stream().mapToDouble(Double::doubleValue).average().orElse(0));
    }
    return means;
  }
}
