package dev.berth.simulator.gpu;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/** A small comma-separated file with a header, plain or gzip; every error names file and line. */
final class CsvTable {
  private final Path file;
  private final Map<String, Integer> columns;
  private String[] fields = new String[0];
  private int line;

  private CsvTable(Path file, Map<String, Integer> columns) {
    this.file = file;
    this.columns = columns;
  }

  /** Reads every row; the row reader sees the table standing on its row. */
  static <T> List<T> read(Path file, List<String> required, Function<CsvTable, T> row) {
    try (BufferedReader reader = open(file)) {
      String header = reader.readLine();
      if (header == null) {
        throw new IllegalArgumentException(file + ": the file is empty, expected a header");
      }
      CsvTable table = new CsvTable(file, columns(header));
      table.line = 1;
      for (String column : required) {
        if (!table.columns.containsKey(column)) {
          throw table.error("the header lacks column " + column + "; it has: " + header);
        }
      }
      List<T> rows = new ArrayList<>();
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        table.line++;
        if (text.isBlank()) {
          continue;
        }
        table.fields = text.split(",", -1);
        if (table.fields.length > table.columns.size()) {
          throw table.error(
              "%d fields, the header names %d"
                  .formatted(table.fields.length, table.columns.size()));
        }
        try {
          rows.add(row.apply(table));
        } catch (BadRow e) {
          throw e;
        } catch (IllegalArgumentException e) {
          throw table.error(String.valueOf(e.getMessage()));
        }
      }
      return rows;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          file + ": no such file: name a CSV file like those in docs/examples, plain or gzip", e);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Integer> columns(String header) {
    Map<String, Integer> columns = new HashMap<>();
    String[] names = header.replace("\uFEFF", "").split(",", -1);
    for (int i = 0; i < names.length; i++) {
      columns.put(names[i].strip(), i);
    }
    return columns;
  }

  /** By content, not by name: gzip starts with 1f 8b. */
  private static BufferedReader open(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
    bytes.mark(2);
    boolean gzip = bytes.read() == 0x1f && bytes.read() == 0x8b;
    bytes.reset();
    InputStream text = gzip ? new GZIPInputStream(bytes) : bytes;
    return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
  }

  /** The field, empty if the column or the value is absent. */
  String text(String column) {
    Integer index = columns.get(column);
    return index == null || index >= fields.length ? "" : fields[index].strip();
  }

  /** A whole number >= 0; {@code 12.0} is accepted, an absent value reads as the default. */
  long whole(String column, long absent) {
    double value = number(column, absent);
    if (!(value >= 0) || value != Math.rint(value)) {
      throw error("%s is %s, expected a whole number >= 0".formatted(column, text(column)));
    }
    return (long) value;
  }

  double number(String column, double absent) {
    String text = text(column);
    if (text.isEmpty() || text.equalsIgnoreCase("nan")) {
      return absent;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw error("%s is '%s', expected a number".formatted(column, text));
    }
  }

  BadRow error(String problem) {
    return new BadRow(file + ":" + line + ": " + problem);
  }

  private static final class BadRow extends IllegalArgumentException {
    BadRow(String message) {
      super(message);
    }
  }
}
