package dev.berth.simulator.experiment;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Figures of finished runs, and the CSV they live in: one line per metric. Appending is all a
 * worker does, so whatever was killed leaves at most one torn run, which reading leaves out.
 */
public final class Results {
  public static final String HEADER = "scenario,seen_in_training,policy,seed,metric,value";

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
    StringBuilder out = new StringBuilder();
    if (!Files.exists(file)) {
      out.append(HEADER).append('\n');
    }
    lines(out, run, seenInTraining, values);
    Files.writeString(
        file, out, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
  }

  /** Reads what is complete in a file into this. */
  public void read(Path file) throws IOException {
    Map<Run, Map<Metric, Double>> partial = new LinkedHashMap<>();
    Map<String, Metric> metrics = new HashMap<>();
    for (Metric m : Metric.values()) {
      metrics.put(m.key(), m);
    }
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(",", -1);
      Metric metric = cells.length == 6 ? metrics.get(cells[4]) : null;
      if (metric == null || line.equals(HEADER)) {
        continue; // a line torn by a kill: its run is incomplete and will be done again
      }
      Run run = new Run(cells[0], cells[2], Long.parseLong(cells[3]));
      seen.put(run.scenario(), Boolean.parseBoolean(cells[1]));
      partial
          .computeIfAbsent(run, r -> new EnumMap<>(Metric.class))
          .put(metric, Double.parseDouble(cells[5]));
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

  /** Writes everything, sorted, by way of a temporary file. */
  public void write(Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (Writer writer = Files.newBufferedWriter(temporary, StandardCharsets.UTF_8)) {
      writer.write(HEADER + "\n");
      for (String scenario : scenarios()) {
        for (String policy : policies()) {
          for (long seed : new TreeSet<>(seeds())) {
            Run run = new Run(scenario, policy, seed);
            Map<Metric, Double> values = figures.get(run);
            if (values != null) {
              StringBuilder out = new StringBuilder();
              lines(out, run, seenInTraining(scenario), values);
              writer.append(out);
            }
          }
        }
      }
    }
    Files.move(
        temporary,
        file,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private static void lines(
      StringBuilder out, Run run, boolean seenInTraining, Map<Metric, Double> values) {
    for (Metric m : Metric.values()) {
      out.append(run.scenario()).append(',').append(seenInTraining).append(',');
      out.append(run.policy()).append(',').append(run.seed()).append(',');
      out.append(m.key()).append(',');
      out.append(String.format(Locale.ROOT, "%.9g", values.get(m))).append('\n');
    }
  }

  /** Drops every run that is not asked for. */
  public void keepOnly(Collection<Run> runs) {
    figures.keySet().retainAll(Set.copyOf(runs));
  }

  public boolean has(Run run) {
    return figures.containsKey(run);
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
