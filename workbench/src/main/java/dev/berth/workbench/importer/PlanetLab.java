package dev.berth.workbench.importer;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * CoMon's record of PlanetLab as published for CloudSim: a folder for every day, in it a file for
 * every virtual machine with a line for every five minutes, CPU in percent.
 *
 * <p>A file is called {@code MACHINE_SITE_SLICE}, dots as underscores; its last two parts are the
 * slice, PlanetLab's word for an application that runs on many machines: the owner. Source:
 * github.com/beloglazov/planetlab-workload-traces.
 */
final class PlanetLab implements UsageFormat {
  private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

  @Override
  public String name() {
    return "planetlab";
  }

  @Override
  public String layout() {
    return "DAY/MACHINE_SITE_SLICE with DAY such as 20110303";
  }

  @Override
  public boolean mine(SourceFile file) {
    return file.folder().matches("\\d{8}");
  }

  @Override
  public List<Piece> read(SourceFile file, Scale scale) {
    int end = file.name().lastIndexOf('_', file.name().lastIndexOf('_') - 1);
    // Some days write a blank before the slice, and other days none.
    String slice = file.name().substring(end + 1).strip();
    if (end < 1 || slice.isEmpty()) {
      throw file.error(0, "a pod without owner: the name ends in no _SITE_SLICE; restore its name");
    }
    double from;
    try {
      from = LocalDate.parse(file.folder(), DAY).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw file.error(0, "the folder " + file.folder() + " is no day: call it as 20110303");
    }
    float[][] columns = DayFile.read(file, scale, 1);
    for (int i = 0; i < columns[0].length; i++) {
      columns[0][i] *= (float) (scale.cores() / 100);
    }
    return List.of(
        new Piece(slice, file.name().substring(0, end), from, columns[0], new float[0], 0));
  }
}
