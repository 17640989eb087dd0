package dev.berth.simulator.experiment;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.csv.CsvTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVPrinter;

/**
 * Figures of finished runs, and the CSV they live in: one line per metric. Appending is all a
 * worker does, so whatever was killed leaves at most one torn run, which reading leaves out.
 */
public final class Results {
  private static final List<String> COLUMNS =
      List.of("scenario", "seen_in_training", "policy", "seed", "metric", "value");

  private static final Comparator<Run> ORDER =
      Comparator.comparing(Run::scenario).thenComparing(Run::policy).thenComparing(Run::seed);

  private final Map<Run, Map<Metric, Double>> figures = new LinkedHashMap<>();
  private final Map<String, Boolean> seen = new LinkedHashMap<>();

  /** Adds a finished run. */
  public void add(Run run, boolean seenInTraining, Map<Metric, Double> values) {
    seen.put(run.scenario(), seenInTraining);
    figures.put(run, Map.copyOf(values));
  }

  /** Appends one run to a file, with a header if the file is new. */
  public static void append(Path file, Run run, boolean seenInTraining, Map<Metric, Double> values)
      throws IOException {
    StringBuilder text = new StringBuilder();
    CSVPrinter out = CsvTable.FORMAT.print(text);
    if (!Files.exists(file)) {
      out.printRecord(COLUMNS);
    }
    lines(out, run, seenInTraining, values);
    Files.writeString(
        file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
  }

  /**
   * Reads what is complete in a file into this.
   *
   * @throws TextException naming file, line and value of a figure that is none
   */
  public void read(Path file) throws IOException {
    Map<Run, Map<Metric, Double>> partial = new LinkedHashMap<>();
    Map<String, Metric> metrics = new HashMap<>();
    for (Metric m : Metric.values()) {
      metrics.put(m.key(), m);
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8); // torn ones too
    // A kill tears lines: what has no end is left out, as is what no longer has six fields.
    List<String> whole = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    for (int i = 0; i < whole.size(); i++) {
      List<String> cells = CsvTable.fields(whole.get(i));
      Metric metric = cells.size() == COLUMNS.size() ? metrics.get(cells.get(4)) : null;
      if (metric != null) {
        try {
          Run run = new Run(cells.get(0), cells.get(2), Long.parseLong(cells.get(3)));
          seen.put(run.scenario(), Boolean.parseBoolean(cells.get(1)));
          partial
              .computeIfAbsent(run, r -> new EnumMap<>(Metric.class))
              .put(metric, Double.parseDouble(cells.get(5)));
        } catch (NumberFormatException e) {
          String what = "'" + whole.get(i) + "' is no seed with its figure: delete the line";
          throw new TextException(file.toString(), i + 1, "", what, e);
        }
      }
    }
    partial.forEach(
        (run, values) -> {
          // Older files lack these two; a torn run lacks what is written after them.
          values.putIfAbsent(Metric.POWER, Double.NaN);
          values.putIfAbsent(Metric.OWNER_DISTANCE, Double.NaN);
          if (values.size() == Metric.values().length) {
            figures.put(run, values);
          }
        });
  }

  /**
   * Writes everything by way of a temporary file, sorted: whoever finished first, the same runs are
   * the same file.
   */
  public void write(Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (CSVPrinter out = CsvTable.write(temporary, COLUMNS)) {
      for (var done :
          figures.entrySet().stream().sorted(Map.Entry.comparingByKey(ORDER)).toList()) {
        Run run = done.getKey();
        lines(out, run, seenInTraining(run.scenario()), done.getValue());
      }
    }
    Files.move(
        temporary,
        file,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private static void lines(
      CSVPrinter out, Run run, boolean seenInTraining, Map<Metric, Double> values)
      throws IOException {
    for (Metric m : Metric.values()) {
      out.printRecord(
          run.scenario(),
          seenInTraining,
          run.policy(),
          run.seed(),
          m.key(),
          String.format(Locale.ROOT, "%.9g", values.get(m)));
    }
  }

  /** Drops every run that is not asked for; the others follow in the order they are asked for. */
  public void keepOnly(List<Run> runs) {
    Map<Run, Map<Metric, Double>> all = Map.copyOf(figures);
    figures.clear();
    for (Run run : runs) {
      Map<Metric, Double> values = all.get(run);
      if (values != null) {
        figures.put(run, values);
      }
    }
  }

  public boolean has(Run run) {
    return figures.containsKey(run);
  }

  /** The figures of one run. */
  public Optional<Map<Metric, Double>> find(Run run) {
    return Optional.ofNullable(figures.get(run));
  }

  public int size() {
    return figures.size();
  }

  public List<String> scenarios() {
    return distinct(Run::scenario);
  }

  public List<String> policies() {
    return distinct(Run::policy);
  }

  public Set<Long> seeds() {
    return figures.keySet().stream().map(Run::seed).collect(Collectors.toCollection(TreeSet::new));
  }

  public boolean seenInTraining(String scenario) {
    return seen.getOrDefault(scenario, false);
  }

  /** One value per seed, in seed order; empty unless every seed was run. */
  public double[] values(String scenario, String policy, Metric metric) {
    Set<Long> seeds = seeds();
    double[] out = new double[seeds.size()];
    int i = 0;
    for (long seed : seeds) {
      Map<Metric, Double> values = figures.get(new Run(scenario, policy, seed));
      if (values == null) {
        return new double[0];
      }
      out[i++] = values.getOrDefault(metric, Double.NaN);
    }
    return out;
  }

  private List<String> distinct(java.util.function.Function<Run, String> part) {
    Set<String> out = new LinkedHashSet<>();
    figures.keySet().forEach(run -> out.add(part.apply(run)));
    return List.copyOf(out);
  }
}
