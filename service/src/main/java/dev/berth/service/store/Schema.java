package dev.berth.service.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, as steps counted by {@code PRAGMA user_version}; a step is never edited once used.
 */
final class Schema {
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE decisions (
                id TEXT PRIMARY KEY, at REAL NOT NULL, scheduler TEXT NOT NULL, mode TEXT NOT NULL,
                pod_uid TEXT NOT NULL, pod TEXT NOT NULL, owner TEXT NOT NULL,
                cpu_milli INTEGER NOT NULL, memory_bytes INTEGER NOT NULL,
                policy TEXT NOT NULL, model_version INTEGER NOT NULL, basis TEXT NOT NULL,
                propensity REAL NOT NULL, explored INTEGER NOT NULL, reason TEXT,
                candidates INTEGER NOT NULL, nodes TEXT NOT NULL)
              """,
              "CREATE INDEX decisions_at ON decisions(at)",
              "CREATE INDEX decisions_pod_uid ON decisions(pod_uid)",
              "CREATE INDEX decisions_pod ON decisions(pod)",
              """
              CREATE TABLE outcomes (
                seq INTEGER PRIMARY KEY, at REAL NOT NULL, type TEXT NOT NULL, decision TEXT,
                pod_uid TEXT NOT NULL, node TEXT,
                UNIQUE (pod_uid, type, at, node))
              """,
              "CREATE INDEX outcomes_at ON outcomes(at)",
              "CREATE INDEX outcomes_decision ON outcomes(decision)",
              "CREATE TABLE rewards (decision TEXT PRIMARY KEY, at REAL NOT NULL, reward REAL NOT"
                  + " NULL)",
              """
              CREATE TABLE pods (
                uid TEXT PRIMARY KEY, name TEXT NOT NULL, namespace TEXT NOT NULL,
                owner TEXT NOT NULL, priority INTEGER NOT NULL, cpu_milli INTEGER NOT NULL,
                memory_bytes INTEGER NOT NULL, gpu_count INTEGER NOT NULL,
                gpu_milli INTEGER NOT NULL, gpu_models TEXT NOT NULL, latency_soft REAL,
                latency_hard REAL, node TEXT NOT NULL, since REAL NOT NULL)
              """),
          List.of(
              "ALTER TABLE decisions ADD COLUMN forecast TEXT",
              "CREATE INDEX decisions_owner ON decisions(owner, at)"),
          List.of(
              """
              CREATE TABLE measured (
                decision TEXT PRIMARY KEY, at REAL NOT NULL, usage REAL NOT NULL,
                without_later REAL NOT NULL)
              """),
          List.of("ALTER TABLE outcomes ADD COLUMN others TEXT"),
          List.of(
              """
              CREATE TABLE choices (
                decision TEXT PRIMARY KEY, at REAL NOT NULL, owner TEXT NOT NULL,
                by_berth INTEGER NOT NULL, node TEXT NOT NULL, ours TEXT, forecast REAL,
                measured REAL, gap REAL)
              """,
              "CREATE INDEX choices_at ON choices(at)"),
          List.of("CREATE TABLE reckoned (decision TEXT PRIMARY KEY, stock TEXT NOT NULL)"));

  private Schema() {}

  static void migrate(Connection db, String file) throws SQLException {
    int version;
    try (Statement sql = db.createStatement();
        ResultSet row = sql.executeQuery("PRAGMA user_version")) {
      version = row.getInt(1);
    }
    if (version > STEPS.size()) {
      throw new IllegalStateException(
          file
              + " was written by a newer Berth (schema "
              + version
              + ", this one knows "
              + STEPS.size()
              + "): use that version, or name another file in store.file");
    }
    for (int step = version; step < STEPS.size(); step++) {
      db.setAutoCommit(false);
      try (Statement sql = db.createStatement()) {
        for (String statement : STEPS.get(step)) {
          sql.execute(statement);
        }
        sql.execute("PRAGMA user_version = " + (step + 1));
      }
      db.commit();
    }
  }
}
