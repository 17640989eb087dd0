package dev.berth.simulator.workload;

import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.TextException;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVPrinter;

/**
 * A list of Deployments as CSV, so that a run can be replayed elsewhere. Columns as in the AAML
 * experiment; quantities in Kubernetes notation ({@code 1000m}, {@code 2Gi}).
 */
public final class DeploymentCsv {
  private static final List<String> COLUMNS =
      List.of(
          "name", "pod_count", "cpu_request", "cpu_limit", "mem_request", "mem_limit", "action");

  private static final int MAX_PODS = 1_000_000;

  private DeploymentCsv() {}

  public static void write(Path file, List<DeploymentPlan> plans) throws IOException {
    try (CSVPrinter out = CsvTable.write(file, COLUMNS)) {
      for (DeploymentPlan p : plans) {
        out.printRecord(
            p.name(),
            p.podCount(),
            Quantity.ofMilliCores(p.cpuRequestMilli()),
            Quantity.ofMilliCores(p.cpuLimitMilli()),
            Quantity.ofBytes(p.memoryRequestBytes()),
            Quantity.ofBytes(p.memoryLimitBytes()),
            p.action().name().toLowerCase(Locale.ROOT));
      }
    }
  }

  /**
   * Reads a list back.
   *
   * @throws TextException naming file and line of what is wrong
   */
  public static List<DeploymentPlan> read(Path file) {
    return CsvTable.read(file, COLUMNS, DeploymentCsv::plan);
  }

  private static DeploymentPlan plan(CsvTable row) {
    Action action =
        switch (row.text("action")) {
          case "add" -> Action.ADD;
          case "reset" -> Action.RESET;
          default -> throw row.error("action '" + row.text("action") + "': use add or reset");
        };
    return new DeploymentPlan(
        row.text("name"),
        (int) row.whole("pod_count", 0, MAX_PODS),
        Quantity.milliCores(row.text("cpu_request")),
        Quantity.milliCores(row.text("cpu_limit")),
        Quantity.bytes(row.text("mem_request")),
        Quantity.bytes(row.text("mem_limit")),
        action);
  }
}
