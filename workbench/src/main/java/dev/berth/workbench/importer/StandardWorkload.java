package dev.berth.workbench.importer;

import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The standard workload format of the Parallel Workloads Archive: a line a job, 18 numbers, -1 for
 * unknown. The user is the owner; a processor is a core. Jobs that never ran are left out.
 *
 * <p>Source of the format: cs.huji.ac.il/labs/parallel/workload/swf.html.
 */
final class StandardWorkload implements ArrivalFormat {
  private static final int FIELDS = 18;
  private static final double KIB = 1024;

  // Places of the fields that count.
  private static final int SUBMITTED = 1;
  private static final int RUN_TIME = 3;
  private static final int PROCESSORS = 4;
  private static final int PROCESSORS_ASKED = 7;
  private static final int MEMORY_ASKED = 9;
  private static final int USER = 11;

  @Override
  public String name() {
    return "swf";
  }

  @Override
  public List<Batch> read(Path place) throws IOException {
    SourceFile file = ArrivalFormat.one(place, ".*\\.swf", "NAME.swf");
    List<String> lines = file.lines();
    List<Batch> out = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith(";")) {
        String[] f = line.split("\\s+");
        if (f.length != FIELDS) {
          throw file.error(
              i + 1,
              "%d fields, a job has 18: the file is cut short or damaged; copy it again"
                  .formatted(f.length));
        }
        add(out, file, i + 1, f);
      }
    }
    return out;
  }

  private static void add(List<Batch> out, SourceFile file, int line, String[] f) {
    double life = known(file, line, f[RUN_TIME], "run time");
    double processors = known(file, line, f[PROCESSORS], "processors");
    if (processors == 0) {
      processors = known(file, line, f[PROCESSORS_ASKED], "processors");
    }
    double memory = known(file, line, f[MEMORY_ASKED], "memory") * KIB * Math.max(1, processors);
    if (life > 0) {
      out.add(
          new Batch(
              file.amount(f[SUBMITTED], line, "submit time"),
              "user-" + f[USER],
              Math.round(1000 * Math.max(1, processors)),
              Math.round(memory),
              new float[] {(float) life}));
    }
  }

  /** 0 for unknown. */
  private static double known(SourceFile file, int line, String text, String what) {
    return text.matches("-1(\\.0*)?") ? 0 : file.amount(text, line, what);
  }
}
