package dev.berth.service.store;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.RunningPod;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** Reads on a connection of their own: WAL lets them run beside the writer. Thread-safe. */
final class SqliteReads {
  /** Where the pod is by this decision: nowhere once its reservation was taken back. */
  private static final String NODE =
      """
      (SELECT iif(o.type = 'unreserved', NULL, o.node) FROM outcomes o WHERE o.decision = d.id
          AND o.type IN ('reserved', 'unreserved', 'bound') ORDER BY o.seq DESC LIMIT 1) AS node""";

  private static final String DECISIONS =
      """
      SELECT d.*, r.reward, m.at - d.at AS measured_after, m.usage, m.without_later, k.stock,
        %s,
        (SELECT o.others FROM outcomes o WHERE o.decision = d.id AND o.others IS NOT NULL
          ORDER BY o.seq DESC LIMIT 1) AS others
      FROM decisions d LEFT JOIN rewards r ON r.decision = d.id
        LEFT JOIN measured m ON m.decision = d.id LEFT JOIN reckoned k ON k.decision = d.id
      """
          .formatted(NODE);

  /**
   * Of several that are best-scored the pod's own is the preferred one, as the scheduler would take
   * any; nobody knows of one that is not kept where all that are are among the best.
   */
  private static final String NEWEST =
      """
      SELECT *,
        CASE
          WHEN node IN (SELECT name.value FROM json_each(nodes, '$.node') name
              WHERE json_extract(nodes, '$.score[' || name.key || ']') = best) THEN node
          WHEN node NOT IN (SELECT value FROM json_each(nodes, '$.node'))
              AND json_array_length(nodes, '$.node') < candidates
              AND json_extract(nodes, '$.score[#-1]') = best THEN NULL
          ELSE json_extract(nodes, '$.node[0]')
        END AS preferred
      FROM (SELECT d.*, json_extract(d.nodes, '$.score[0]') AS best, r.reward,
          %s
        FROM decisions d LEFT JOIN rewards r ON r.decision = d.id ORDER BY d.at DESC LIMIT ?)
      ORDER BY at DESC
      """
          .formatted(NODE);

  private final Connection db;

  /** A connection that cannot write, beside whoever does. */
  static Connection readOnly(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true); // not by a URI, in which a folder's % or # means something else
    return config.createConnection("jdbc:sqlite:" + file);
  }

  SqliteReads(Connection db) {
    this.db = db;
  }

  synchronized Optional<StoredDecision> decision(String id) {
    return decisions(DECISIONS + " WHERE d.id = ?", id).stream().findFirst();
  }

  synchronized List<StoredDecision> decisionsOf(String pod, int limit) {
    return newest(pod.contains("/") ? " WHERE d.pod = ?" : " WHERE d.pod_uid = ?", limit, pod);
  }

  synchronized List<DecisionLine> newest(int limit) {
    try (PreparedStatement sql = db.prepareStatement(NEWEST)) {
      sql.setInt(1, limit);
      List<DecisionLine> found = new ArrayList<>();
      try (ResultSet row = sql.executeQuery()) {
        while (row.next()) {
          found.add(
              new DecisionLine(
                  row.getString("id"),
                  row.getDouble("at"),
                  row.getString("pod"),
                  row.getString("owner"),
                  row.getString("mode"),
                  row.getLong("model_version"),
                  row.getBoolean("explored"),
                  row.getString("reason"),
                  row.getInt("candidates"),
                  row.getString("preferred"),
                  row.getString("node"),
                  orNull(row, "reward")));
        }
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read decisions: " + e.getMessage(), e);
    }
  }

  synchronized List<StoredDecision> decisionsOfOwner(String owner, int limit) {
    return newest(" WHERE d.owner = ?", limit, owner);
  }

  synchronized List<StoredDecision> decisions(int limit) {
    return newest("", limit);
  }

  private List<StoredDecision> newest(String where, int limit, String... parameters) {
    return decisions(DECISIONS + where + " ORDER BY d.at DESC LIMIT " + limit, parameters);
  }

  private List<StoredDecision> decisions(String query, String... parameters) {
    try (PreparedStatement sql = db.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        sql.setString(i + 1, parameters[i]);
      }
      List<StoredDecision> found = new ArrayList<>();
      try (ResultSet row = sql.executeQuery()) {
        while (row.next()) {
          found.add(decision(row));
        }
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read decisions: " + e.getMessage(), e);
    }
  }

  private static StoredDecision decision(ResultSet row) throws SQLException {
    String nodes = row.getString("nodes");
    String forecast = row.getString("forecast");
    return new StoredDecision(
        row.getString("id"),
        Instant.ofEpochMilli(Math.round(row.getDouble("at") * 1000)).toString(),
        row.getString("scheduler"),
        row.getString("mode"),
        row.getString("pod_uid"),
        row.getString("pod"),
        row.getString("owner"),
        row.getString("policy"),
        row.getLong("model_version"),
        row.getString("basis"),
        row.getDouble("propensity"),
        row.getBoolean("explored"),
        row.getString("reason"),
        row.getString("node"),
        StoredWithout.of(row.getString("others")),
        StoredWithout.of(row.getString("stock")),
        orNull(row, "reward"),
        measured(row, forecast, nodes),
        row.getInt("candidates"),
        nodes,
        forecast,
        StoredTerms.of(forecast, nodes),
        null);
  }

  private static @Nullable StoredMeasurement measured(
      ResultSet row, @Nullable String forecast, String nodes) throws SQLException {
    double after = row.getDouble("measured_after");
    return row.wasNull()
        ? null
        : StoredMeasurement.of(
            after,
            row.getDouble("usage"),
            row.getDouble("without_later"),
            forecast,
            nodes,
            row.getString("node"));
  }

  synchronized List<RunningPod> runningPods(int most) {
    try (PreparedStatement sql =
        db.prepareStatement("SELECT * FROM pods ORDER BY since DESC, uid DESC LIMIT ?")) {
      sql.setInt(1, most);
      ResultSet row = sql.executeQuery();
      List<RunningPod> pods = new ArrayList<>();
      while (row.next()) {
        String models = row.getString("gpu_models");
        Pod pod =
            new Pod(
                row.getString("uid"),
                row.getString("name"),
                row.getString("namespace"),
                row.getString("owner"),
                row.getInt("priority"),
                row.getLong("cpu_milli"),
                row.getLong("memory_bytes"),
                new GpuRequest(
                    row.getInt("gpu_count"),
                    row.getInt("gpu_milli"),
                    models.isEmpty() ? List.of() : List.of(models.split(","))),
                new LatencyLimits(orNaN(row, "latency_soft"), orNaN(row, "latency_hard")));
        pods.add(new RunningPod(pod, row.getString("node"), row.getDouble("since")));
      }
      Collections.reverse(pods);
      return pods;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the running pods: " + e.getMessage(), e);
    }
  }

  static @Nullable Double orNull(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : value;
  }

  private static double orNaN(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? Double.NaN : value;
  }

  synchronized void close() throws SQLException {
    db.close();
  }
}
