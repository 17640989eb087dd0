package dev.berth.service.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads choices on a connection of its own, so that a long read is in nobody's way, row by row, so
 * that memory does not grow with their number.
 */
final class ChoiceReads {
  private ChoiceReads() {}

  static void each(Path file, double since, Consumer<Choice> reader) {
    query(
        file,
        "SELECT * FROM choices WHERE at >= ? ORDER BY at",
        since,
        row ->
            reader.accept(
                new Choice(
                    row.getString("decision"),
                    row.getDouble("at"),
                    row.getString("owner"),
                    row.getBoolean("by_berth"),
                    row.getString("node"),
                    row.getString("ours"),
                    SqliteReads.orNull(row, "forecast"),
                    SqliteReads.orNull(row, "measured"),
                    SqliteReads.orNull(row, "gap"))));
  }

  static ChoiceOwners owners(Path file, double since, int most) {
    List<String> owners = new ArrayList<>();
    long[] all = {0};
    query(
        file,
        "SELECT owner, count(*) OVER () AS owners FROM choices WHERE at >= ?"
            + " GROUP BY owner ORDER BY count(*) DESC, owner LIMIT "
            + most,
        since,
        row -> {
          owners.add(row.getString("owner"));
          all[0] = row.getLong("owners");
        });
    return new ChoiceOwners(owners, all[0]);
  }

  private interface Row {
    void read(ResultSet row) throws SQLException;
  }

  private static void query(Path file, String query, double since, Row reader) {
    try (Connection db = SqliteReads.readOnly(file);
        PreparedStatement sql = db.prepareStatement(query)) {
      sql.setDouble(1, since);
      try (ResultSet row = sql.executeQuery()) {
        while (row.next()) {
          reader.read(row);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read choices: " + e.getMessage(), e);
    }
  }
}
