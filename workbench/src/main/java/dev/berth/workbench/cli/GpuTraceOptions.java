package dev.berth.workbench.cli;

import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.TraceReader;
import dev.berth.simulator.gpu.TraceVariants;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster and which workloads a GPU command is about. */
final class GpuTraceOptions {
  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "FILE",
      description = "Node list: sn,cpu_milli,memory_mib,gpu,model; plain or gzip.")
  private Path nodes = Path.of("");

  @Option(
      names = "--pods",
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "One or more pod lists: name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,...]; plain"
              + " or gzip.")
  private List<Path> pods = List.of();

  @Option(
      names = "--half",
      paramLabel = "0|1",
      description = "Only one of two fixed random halves of each pod list: train on 0, judge on 1.")
  private @Nullable Integer half;

  List<GpuTrace> read() {
    if (half != null && half != 0 && half != 1) {
      throw new IllegalArgumentException("--half is 0 or 1, got " + half);
    }
    List<GpuTrace> traces = new ArrayList<>();
    for (Path file : pods) {
      GpuTrace trace = TraceReader.read(nodes, file);
      traces.add(half == null ? trace : TraceVariants.half(trace, half));
    }
    return traces;
  }
}
