package dev.berth.workbench.importer;

import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Azure's trace of virtual machines (V1) as published with "Generating complex, realistic cloud
 * workloads": a line for every five minutes, machines by flavour, {@code |} ends a batch; beside it
 * the same with lifetime bins, {@code U} for a life seen to its end and {@code C} for one that was
 * not.
 *
 * <p>A batch is the owner of its machines: the source knows no other. A life is uniform in its bin,
 * drawn from the machine's place in the trace; one that was not seen to its end is without end.
 * Source: github.com/huaweicloud/trace_generation_rnn, resources/traces.
 */
final class AzureBatches implements ArrivalFormat {
  private static final double GIB = 1L << 30;
  private static final double STEP_SECONDS = 300;

  private record Flavour(double cores, double gib) {}

  private record Bin(double from, double to) {}

  @Override
  public String name() {
    return "azure-v1";
  }

  @Override
  public List<Batch> read(Path place) throws IOException {
    Map<String, Flavour> flavours =
        flavours(ArrivalFormat.one(place, ".*flav_map\\.txt", "*flav_map.txt"));
    Map<String, Bin> bins =
        bins(ArrivalFormat.one(place, ".*interval_map\\.txt", "*interval_map.txt"));
    SourceFile lives = ArrivalFormat.one(place, ".*\\.c\\d+\\.txt", "NAME.c<seconds>.txt");
    String stem = lives.name().replaceFirst("\\.c\\d+\\.txt$", "");
    SourceFile machines = ArrivalFormat.one(place, Pattern.quote(stem) + "\\.txt", stem + ".txt");
    return batches(machines, lives, flavours, bins);
  }

  private static Map<String, Flavour> flavours(SourceFile file) {
    Map<String, Flavour> out = new HashMap<>();
    List<String> lines = file.lines();
    for (int i = 0; i < lines.size(); i++) {
      String[] f = lines.get(i).strip().split("[,\\s]+");
      if (f.length != 3) {
        throw file.error(i + 1, "expected CORES,GIB FLAVOUR; copy the file again");
      }
      out.put(
          f[2], new Flavour(file.amount(f[0], i + 1, "cores"), file.amount(f[1], i + 1, "GiB")));
    }
    return out;
  }

  /** The map goes from seconds to bins, one line a step: a bin ends a step after its last line. */
  private static Map<String, Bin> bins(SourceFile file) {
    Map<String, Bin> out = new LinkedHashMap<>();
    List<String> lines = file.lines();
    for (int i = 0; i < lines.size(); i++) {
      String[] f = lines.get(i).strip().split("\\s+");
      if (f.length != 2) {
        throw file.error(i + 1, "expected SECONDS BIN; copy the file again");
      }
      double at = file.amount(f[0], i + 1, "a life");
      out.merge(f[1], new Bin(at, at + STEP_SECONDS), (a, b) -> new Bin(a.from(), b.to()));
    }
    return out;
  }

  private static List<Batch> batches(
      SourceFile machines, SourceFile lives, Map<String, Flavour> flavours, Map<String, Bin> bins) {
    List<String> left = machines.lines();
    List<String> right = lives.lines();
    if (left.size() != right.size()) {
      throw lives.error(
          Math.min(left.size(), right.size()) + 1,
          "%d lines, %s has %d: one of them is cut short; copy both again"
              .formatted(right.size(), machines.path(), left.size()));
    }
    List<Batch> out = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(left.size());
    for (int i = 0; i < left.size(); i++) {
      String[] l = left.get(i).strip().split("\\s+", 2);
      String[] r = right.get(i).strip().split("\\s+", 2);
      List<String> a = l.length < 2 ? List.of() : CsvTable.fields(l[1]);
      List<String> b = r.length < 2 ? List.of() : CsvTable.fields(r[1]);
      if (!l[0].equals(r[0]) || a.size() != b.size()) {
        throw lives.error(
            i + 1,
            "time %s with %d entries, %s has %s with %d: one of them is damaged; copy both again"
                .formatted(r[0], b.size(), machines.path(), l[0], a.size()));
      }
      Map<Flavour, List<Float>> batch = new LinkedHashMap<>();
      int number = 0;
      double at = machines.amount(l[0], i + 1, "time");
      for (int k = 0; k < a.size(); k++) {
        if (!a.get(k).equals("|")) {
          Flavour flavour = flavours.get(a.get(k));
          if (flavour == null) {
            throw machines.error(i + 1, "flavour '" + a.get(k) + "' is not in the flavour map");
          }
          float life = life(lives, i + 1, b.get(k), bins, random);
          batch.computeIfAbsent(flavour, f -> new ArrayList<>()).add(life);
        }
        if (a.get(k).equals("|") || k == a.size() - 1) {
          String owner = "batch-%.0f-%d".formatted(at, number++);
          batch.forEach((flavour, all) -> out.add(batch(at, owner, flavour, all)));
          batch.clear();
        }
      }
    }
    return out;
  }

  private static Batch batch(double at, String owner, Flavour flavour, List<Float> lives) {
    float[] all = new float[lives.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = lives.get(i);
    }
    return new Batch(
        at, owner, Math.round(1000 * flavour.cores()), Math.round(GIB * flavour.gib()), all);
  }

  private static float life(
      SourceFile file, int line, String text, Map<String, Bin> bins, SplittableRandom random) {
    Bin bin = text.length() < 2 ? null : bins.get(text.substring(1));
    if (bin == null || (text.charAt(0) != 'U' && text.charAt(0) != 'C')) {
      throw file.error(line, "'" + text + "': expected U or C and a bin of the interval map");
    }
    double life = bin.from() + random.nextDouble() * (bin.to() - bin.from());
    return text.charAt(0) == 'C' ? Float.POSITIVE_INFINITY : (float) Math.max(1, life);
  }
}
