package dev.berth.simulator.csv;

import dev.berth.policy.file.FileTrouble;
import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * A comma-separated file with a header, plain or gzip, standing on one of its rows. Rows may be
 * shorter than the header, not longer; blank lines do not count; blanks around fields go.
 *
 * <p>Thread rule: one thread.
 */
public final class CsvTable {
  /** What is written: fields are quoted where they must be, lines end in a newline. */
  public static final CSVFormat FORMAT = CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  private static final CSVFormat LENIENT =
      FORMAT.builder().setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(true).get();

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private List<String> fields = List.of();
  private long line = 1;

  private CsvTable(Path file) {
    this.file = file;
  }

  /**
   * Reads every row; the row reader sees the table standing on its row. What it refuses with an
   * {@link IllegalArgumentException} is given file and line.
   *
   * @throws TextException naming file, line, value and fix
   * @throws UncheckedIOException when the file cannot be read
   */
  public static <T> List<T> read(Path file, List<String> required, Function<CsvTable, T> row) {
    CsvTable table = new CsvTable(file);
    try (Reader reader = text(file);
        CSVParser parser = LENIENT.parse(reader)) {
      return table.rows(parser, required, row);
    } catch (NoSuchFileException e) {
      String what = "no such file: name a CSV file like those in docs/examples, plain or gzip";
      throw new TextException(file.toString(), 0, "", what, e);
    } catch (ZipException | EOFException e) {
      String what = "damaged gzip (" + FileTrouble.reason(e) + "): copy it again";
      throw new TextException(file.toString(), 0, "", what, e);
    } catch (CSVException e) {
      String what = "quotes that do not fit: " + e.getMessage();
      throw new TextException(file.toString(), table.line + 1, "", what, e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private <T> List<T> rows(CSVParser parser, List<String> required, Function<CsvTable, T> row)
      throws IOException {
    Iterator<CSVRecord> records = parser.iterator();
    if (!next(parser, records)) {
      throw new TextException(file.toString(), 0, "", "the file is empty, expected a header", null);
    }
    header(required);
    List<T> rows = new ArrayList<>();
    while (next(parser, records)) {
      if (fields.size() > columns.size()) {
        throw error("%d fields, the header names %d".formatted(fields.size(), columns.size()));
      }
      try {
        rows.add(row.apply(this));
      } catch (TextException e) {
        throw e;
      } catch (IllegalArgumentException e) {
        throw error(String.valueOf(e.getMessage()));
      }
    }
    return rows;
  }

  private boolean next(CSVParser parser, Iterator<CSVRecord> records) throws IOException {
    try {
      while (records.hasNext()) {
        fields = records.next().toList();
        line = parser.getCurrentLineNumber();
        if (fields.size() > 1 || !fields.get(0).isBlank()) {
          return true;
        }
      }
      return false;
    } catch (UncheckedIOException e) { // as iterators must throw what readers throw
      throw e.getCause();
    }
  }

  private void header(List<String> required) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.get(i).strip();
      if (columns.put(name, i) != null) {
        throw error("the header names column '" + name + "' twice: keep one");
      }
    }
    for (String column : required) {
      if (!columns.containsKey(column)) {
        throw error("the header lacks column " + column + "; it has: " + columns.keySet());
      }
    }
  }

  /**
   * The text of a file, plain or gzip, which is told by content, not by name: gzip starts with 1f
   * 8b. A mark of the byte order in front is no part of it. The caller closes it.
   */
  public static BufferedReader text(Path file) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
    try {
      bytes.mark(2);
      boolean gzip = bytes.read() == 0x1f && bytes.read() == 0x8b;
      bytes.reset();
      InputStream text = gzip ? new GZIPInputStream(bytes) : bytes;
      var reader = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
      reader.mark(1);
      if (reader.read() != BYTE_ORDER_MARK) {
        reader.reset();
      }
      return reader;
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /** The header's names, in order. */
  public List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  /** Whether the row has fewer fields than the header names. */
  public boolean isShort() {
    return fields.size() < columns.size();
  }

  /** The field, empty if the column or the value is absent. */
  public String text(String column) {
    Integer index = columns.get(column);
    return index == null || index >= fields.size() ? "" : fields.get(index).strip();
  }

  /** Like {@link #text}, but refuses an empty one. */
  public String required(String column) {
    String text = text(column);
    if (text.isEmpty()) {
      throw error(column + " is empty: every row needs one");
    }
    return text;
  }

  /**
   * A whole number from 0 to {@code max}; {@code 12.0} is accepted, an absent value reads as the
   * default.
   */
  public long whole(String column, long absent, long max) {
    double value = number(column, absent);
    if (!(value >= 0) || value != Math.rint(value)) {
      throw error("%s is %s, expected a whole number >= 0".formatted(column, text(column)));
    }
    if (value > max) {
      throw error("%s is %s, expected at most %d".formatted(column, text(column), max));
    }
    return (long) value;
  }

  /** A finite number; an absent value or {@code nan} reads as the default. */
  public double number(String column, double absent) {
    String text = text(column);
    if (text.isEmpty() || text.equalsIgnoreCase("nan")) {
      return absent;
    }
    try {
      return Units.number(text);
    } catch (IllegalArgumentException e) {
      throw error("%s is '%s', expected a finite number".formatted(column, text));
    }
  }

  /** A mistake in the row where the table stands. */
  public TextException error(String problem) {
    return new TextException(file.toString(), line, "", problem, null);
  }

  /** The fields of one line; none when its quotes do not fit. */
  public static List<String> fields(String line) {
    return fields(line, FORMAT);
  }

  /** Like {@link #fields(String)} of a line with another delimiter; blanks around fields go. */
  public static List<String> fields(String line, char delimiter) {
    return fields(line, LENIENT.builder().setDelimiter(delimiter).get());
  }

  private static List<String> fields(String line, CSVFormat format) {
    try (CSVParser parser = CSVParser.parse(line, format)) {
      List<CSVRecord> records = parser.getRecords();
      return records.size() == 1 ? records.get(0).toList() : List.of();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** Starts a file with its header; the caller closes it. */
  public static CSVPrinter write(Path file, List<String> header) throws IOException {
    CSVPrinter out = FORMAT.print(Files.newBufferedWriter(file));
    out.printRecord(header);
    return out;
  }

  /** Rows that may fail to be written. */
  @FunctionalInterface
  public interface Rows {
    void printTo(CSVPrinter csv) throws IOException;
  }

  /**
   * Writes a file, compressed when its name ends in {@code .gz}; it appears when whole. Where a
   * link leads to one, that is replaced.
   *
   * @throws TextException when there is something else, or it cannot be written
   */
  public static void writeWhole(Path name, List<String> header, Rows rows) {
    try {
      Path file = Files.exists(name) ? name.toRealPath() : name;
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new TextException(name.toString(), 0, "", "is no file: name one to write", null);
      }
      Path part = file.resolveSibling(file.getFileName() + ".part");
      try {
        writePart(part, file.toString().endsWith(".gz"), header, rows);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      String what = "cannot be written (%s): name a place with room that you may write to";
      throw new TextException(name.toString(), 0, "", what.formatted(FileTrouble.reason(e)), e);
    }
  }

  private static void writePart(Path part, boolean gzip, List<String> header, Rows rows)
      throws IOException {
    try (OutputStream bytes = Files.newOutputStream(part);
        OutputStream out = gzip ? new GZIPOutputStream(bytes, 1 << 16) : bytes;
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        CSVPrinter csv = FORMAT.print(writer)) {
      csv.printRecord(header);
      rows.printTo(csv);
    }
  }
}
