package dev.berth.workbench.sweep;

import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.TextException;
import dev.berth.simulator.scenario.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a sweep tries: every combination of the values under {@code grid}, each with every seed.
 * docs/sweeps.md describes the file.
 *
 * @param fixed options of {@code berth train} that all units share, without dashes
 * @param grid option name to its values
 * @param seeds training seeds
 * @param evaluate how a trained model is judged
 */
public record Grid(
    Map<String, String> fixed, Map<String, List<String>> grid, Seeds seeds, Evaluation evaluate) {

  /**
   * @param scenarios file or folder, as {@code --scenarios} of {@code berth leaderboard}
   * @param seeds judging seeds, as {@code --seeds} of it; apart from the training seeds
   * @param metric decides the order of the cells; lower is better
   */
  public record Evaluation(String scenarios, String seeds, String metric) {}

  /**
   * Reads a grid file.
   *
   * @throws TextException with file, line, key and fix
   */
  public static Grid read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new TextException(file.toString(), 0, "", "a folder: name the grid file", null);
    }
    StrictYaml y =
        StrictYaml.parse(Files.readAllBytes(file), file.toString())
            .orElseThrow(
                () -> new TextException(file.toString(), 1, "", "empty: see docs/sweeps.md", null));
    Map<String, String> fixed = y.strings("fixed");
    Map<String, List<String>> values = new LinkedHashMap<>();
    StrictYaml grid = y.child("grid");
    if (grid == null) {
      throw y.missing("grid", "grid: {learning-rate: [0.001, 0.0003]}");
    }
    for (String option : grid.keys()) {
      values.put(option, grid.list(option, value -> value));
    }
    Seeds seeds = y.scalar("seeds", new Seeds(1, 3), Grid::trainingSeeds);
    StrictYaml e = y.child("evaluate");
    if (e == null || !e.has("scenarios")) {
      throw (e == null ? y : e).missing("evaluate", "evaluate: {scenarios: FOLDER, seeds: 3}");
    }
    Evaluation evaluate =
        new Evaluation(
            e.text("scenarios", ""),
            e.scalar("seeds", "3", text -> heldOut(text)),
            e.text("metric", "cost"));
    e.finish();
    y.finish();
    return new Grid(fixed, values, seeds, evaluate);
  }

  private static Seeds trainingSeeds(String text) {
    if (text.strip().equals("0")) {
      throw new IllegalArgumentException("need at least one");
    }
    Seeds seeds = text.contains("-") ? Seeds.parse(text) : new Seeds(1, Long.parseLong(text));
    if (seeds.last() >= Seeds.FIRST_HELD_OUT) {
      throw new IllegalArgumentException(
          "training seeds end below " + Seeds.FIRST_HELD_OUT + ": the rest is for judging");
    }
    return seeds;
  }

  private static String heldOut(String text) {
    if (Seeds.parse(text).first() < Seeds.FIRST_HELD_OUT) {
      throw new IllegalArgumentException(
          "judging seeds start at " + Seeds.FIRST_HELD_OUT + ": training may have seen the others");
    }
    return text;
  }

  /** Cells x seeds. */
  public int size() {
    int cells = grid.values().stream().mapToInt(List::size).reduce(1, Math::multiplyExact);
    return cells * seeds.list().size();
  }

  /** Unit {@code index}: seeds change fastest, then the last option of the file. */
  public Unit unit(int index) {
    Objects.checkIndex(index, size());
    List<Long> seedList = seeds.list();
    long seed = seedList.get(index % seedList.size());
    int cell = index / seedList.size();
    List<Map.Entry<String, List<String>>> options = new ArrayList<>(grid.entrySet());
    Map<String, String> reversed = new LinkedHashMap<>();
    for (int i = options.size() - 1; i >= 0; i--) {
      List<String> values = options.get(i).getValue();
      reversed.put(options.get(i).getKey(), values.get(cell % values.size()));
      cell /= values.size();
    }
    Map<String, String> settings = new LinkedHashMap<>();
    options.forEach(o -> settings.put(o.getKey(), reversed.getOrDefault(o.getKey(), "")));
    return new Unit(index, settings, seed);
  }

  public List<Unit> units() {
    List<Unit> units = new ArrayList<>();
    for (int i = 0; i < size(); i++) {
      units.add(unit(i));
    }
    return units;
  }

  /** Changes whenever a result would mean something else. */
  public String fingerprint() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
