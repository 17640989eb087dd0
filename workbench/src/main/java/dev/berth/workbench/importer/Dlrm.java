package dev.berth.workbench.importer;

import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Alibaba's trace of disaggregated recommendation models (cluster-trace-gpu-v2025): a row for every
 * instance with application, role, requests, creation and deletion. Application and role are the
 * owner. An instance without a creation was there before the record, one without a deletion
 * outlived it. GPUs, network and disk are left alone.
 */
final class Dlrm implements ArrivalFormat {
  private static final double GIB = 1L << 30;

  @Override
  public String name() {
    return "dlrm";
  }

  @Override
  public List<Batch> read(Path place) throws IOException {
    Path file = ArrivalFormat.one(place, ".*\\.csv", "NAME.csv").path();
    List<String> columns =
        List.of(
            "role", "app_name", "cpu_request", "memory_request", "creation_time", "deletion_time");
    return CsvTable.read(file, columns, Dlrm::batch);
  }

  private static Batch batch(CsvTable row) {
    if (row.isShort()) {
      throw row.error("the row is cut short: copy the file again");
    }
    double created = row.number("creation_time", 0);
    double deleted = row.number("deletion_time", Double.POSITIVE_INFINITY);
    if (deleted < created) {
      throw row.error("deleted before it was created: mend the row or take it out");
    }
    return new Batch(
        created,
        row.required("app_name") + "-" + row.required("role"),
        Math.round(1000 * row.number("cpu_request", 0)),
        Math.round(GIB * row.number("memory_request", 0)),
        new float[] {(float) Math.max(1, deleted - created)});
  }
}
