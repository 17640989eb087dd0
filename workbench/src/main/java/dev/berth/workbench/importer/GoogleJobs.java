package dev.berth.workbench.importer;

import dev.berth.simulator.usage.Series;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Usage of the jobs of Google's trace of 2011, as aggregated by others: a file {@code vm_JOB_DAY}
 * for every job and day with a line for every five minutes, CPU and memory in percent. The job is
 * the owner; what its tasks did one by one is not in the files, so all its pods play the same.
 *
 * <p>Source: github.com/HiPro-IT/CPU-and-Memory-resource-usage-from-Google-Cluster-Data.
 */
final class GoogleJobs implements UsageFormat {
  private static final Pattern NAME = Pattern.compile("vm_(\\d+)_(\\d{1,4})");
  private static final double DAY_SECONDS = 86_400;

  @Override
  public String name() {
    return "google2011";
  }

  @Override
  public String layout() {
    return "vm_JOB_DAY";
  }

  @Override
  public boolean mine(SourceFile file) {
    return file.name().startsWith("vm_");
  }

  @Override
  public List<Piece> read(SourceFile file, Scale scale) {
    Matcher name = NAME.matcher(file.name());
    if (!name.matches()) {
      throw file.error(0, "a pod without owner: restore its name, vm_JOB_DAY");
    }
    float[][] columns = DayFile.read(file, scale, 2);
    for (int i = 0; i < columns[0].length; i++) {
      columns[0][i] *= (float) (scale.cores() / 100);
      columns[1][i] *= (float) (scale.bytes() / 100);
    }
    double from = Integer.parseInt(name.group(2)) * DAY_SECONDS;
    return List.of(new Piece(name.group(1), Series.AGGREGATE, from, columns[0], columns[1], 0));
  }
}
