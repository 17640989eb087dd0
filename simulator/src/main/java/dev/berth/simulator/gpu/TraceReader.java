package dev.berth.simulator.gpu;

import static dev.berth.policy.cluster.GpuRequest.CARD_MILLI;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads node and pod lists of the openb kind (Alibaba's 2023 GPU trace), plain or gzip.
 *
 * <p>Nodes: {@code sn, cpu_milli, memory_mib, gpu, model}. Pods: {@code name, cpu_milli,
 * memory_mib, num_gpu, gpu_milli} and, where present, {@code gpu_spec} ({@code V100M16|V100M32}),
 * {@code creation_time}, {@code deletion_time}, {@code scheduled_time}. Other columns are left
 * alone. An absent number of GPUs, CPU or memory is 0, an absent {@code gpu_milli} a whole card.
 */
public final class TraceReader {
  private static final long MIB = 1L << 20;

  // What one machine may have at most; beyond them a list is no list of machines.
  private static final long MAX_CARDS = 32; // bits of an int in the policies
  private static final long MAX_CPU_MILLI = 1_000_000_000;
  private static final long MAX_MEMORY_MIB = 1L << 40;

  private TraceReader() {}

  public static GpuTrace read(Path nodes, Path pods) {
    return new GpuTrace(traceName(pods), nodes(nodes), pods(pods));
  }

  public static List<NodeRow> nodes(Path file) {
    return CsvTable.read(
        file,
        List.of("sn", "cpu_milli", "gpu"),
        row ->
            new NodeRow(
                row.required("sn"),
                row.text("model"),
                (int) row.whole("gpu", 0, MAX_CARDS),
                row.whole("cpu_milli", 0, MAX_CPU_MILLI),
                memoryBytes(row)));
  }

  public static List<PodRow> pods(Path file) {
    return CsvTable.read(
        file,
        List.of("name", "cpu_milli", "num_gpu"),
        row ->
            new PodRow(
                row.required("name"),
                new PodRequests(
                    row.whole("cpu_milli", 0, MAX_CPU_MILLI), memoryBytes(row), gpuRequest(row)),
                row.number("creation_time", Double.NaN),
                row.number("deletion_time", Double.NaN),
                row.number("scheduled_time", Double.NaN)));
  }

  private static GpuRequest gpuRequest(CsvTable row) {
    int count = (int) row.whole("num_gpu", 0, MAX_CARDS);
    if (count == 0) {
      return GpuRequest.NONE;
    }
    // The trace's own converter reads more than a whole card as a whole card.
    int milli = (int) Math.min(row.whole("gpu_milli", CARD_MILLI, Integer.MAX_VALUE), CARD_MILLI);
    List<String> models =
        Arrays.stream(row.text("gpu_spec").split("\\|"))
            .map(String::strip)
            .filter(model -> !model.isEmpty())
            .toList();
    return new GpuRequest(count, milli, models);
  }

  private static long memoryBytes(CsvTable row) {
    return row.whole("memory_mib", 0, MAX_MEMORY_MIB) * MIB;
  }

  /** {@code openb_pod_list_default.csv.gz} is called {@code default}. */
  static String traceName(Path file) {
    String name = file.getFileName().toString().replaceAll("\\.(csv|csv\\.gz|gz)$", "");
    return name.replaceFirst("^.*pod_list_", "");
  }
}
