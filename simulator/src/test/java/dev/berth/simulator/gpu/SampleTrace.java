package dev.berth.simulator.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The sample trace of our own, and the published ones where they are at hand. */
final class SampleTrace {

  private SampleTrace() {}

  private static Path root() {
    return Path.of(System.getProperty("berth.root", "."));
  }

  /** 50 nodes, 252 GPUs, 200 pods: docs/examples. */
  static GpuTrace small() {
    Path folder = root().resolve("docs/examples");
    return TraceReader.read(folder.resolve("gpu-nodes.csv"), folder.resolve("gpu-pods.csv"));
  }

  /** A published openb list; the test is skipped where the traces are not. */
  static GpuTrace openb(String name) {
    String set = System.getenv("BERTH_TRACES");
    Path folder =
        (set != null ? Path.of(set) : root().resolve("../shared/traces")).resolve("openb");
    Assumptions.assumeTrue(
        Files.isDirectory(folder),
        () ->
            "skipped: no openb traces at "
                + folder
                + "; set BERTH_TRACES to the folder that holds openb/");
    return TraceReader.read(
        folder.resolve("openb_node_list_gpu_node.csv.gz"),
        folder.resolve("openb_pod_list_" + name + ".csv.gz"));
  }
}
