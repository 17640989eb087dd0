package dev.berth.simulator.workload;

import dev.berth.simulator.workload.DeploymentPlan.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A list of Deployments as CSV, so that a run can be replayed elsewhere. Columns as in the AAML
 * experiment; quantities in Kubernetes notation ({@code 1000m}, {@code 2Gi}).
 */
public final class DeploymentCsv {
  public static final String HEADER =
      "name,pod_count,cpu_request,cpu_limit,mem_request,mem_limit,action";

  private DeploymentCsv() {}

  public static void write(Path file, List<DeploymentPlan> plans) throws IOException {
    StringBuilder out = new StringBuilder(HEADER).append('\n');
    for (DeploymentPlan p : plans) {
      out.append(p.name()).append(',').append(p.podCount()).append(',');
      out.append(Quantities.cpu(p.cpuRequestMilli())).append(',');
      out.append(Quantities.cpu(p.cpuLimitMilli())).append(',');
      out.append(Quantities.memory(p.memoryRequestBytes())).append(',');
      out.append(Quantities.memory(p.memoryLimitBytes())).append(',');
      out.append(p.action().name().toLowerCase(Locale.ROOT)).append('\n');
    }
    Files.writeString(file, out);
  }

  /**
   * Reads a list back.
   *
   * @throws IllegalArgumentException naming file and line of what is wrong
   */
  public static List<DeploymentPlan> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.get(0).strip().equals(HEADER)) {
      throw new IllegalArgumentException(file + ":1: the first line must be '" + HEADER + "'");
    }
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        try {
          plans.add(parse(lines.get(i).strip().split(",", -1)));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(file + ":" + (i + 1) + ": " + e.getMessage(), e);
        }
      }
    }
    return plans;
  }

  private static DeploymentPlan parse(String[] cells) {
    if (cells.length != 7) {
      throw new IllegalArgumentException("need 7 columns (" + HEADER + "), got " + cells.length);
    }
    Action action =
        switch (cells[6]) {
          case "add" -> Action.ADD;
          case "reset" -> Action.RESET;
          default ->
              throw new IllegalArgumentException("action '" + cells[6] + "': use add or reset");
        };
    int count;
    try {
      count = Integer.parseInt(cells[1]);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("pod_count '" + cells[1] + "' is not a whole number", e);
    }
    return new DeploymentPlan(
        cells[0],
        count,
        Quantities.cpuMilli(cells[2]),
        Quantities.cpuMilli(cells[3]),
        Quantities.bytes(cells[4]),
        Quantities.bytes(cells[5]),
        action);
  }
}
