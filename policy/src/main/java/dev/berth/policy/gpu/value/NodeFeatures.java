package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.gpu.GpuNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A node's leftovers as numbers, in GPUs. GPU detail and CPU per idle GPU carry the result (without
 * them default falls from 96.1 to 95.8, cpu250 from 94.1 to 92.2); memory matters because it is
 * what most failed pods of the trace lack.
 *
 * <p>Hinges {@code max(0, idle - cpu / k)} are the idle GPUs that could not be used if every GPU
 * needed k cores: piecewise-linear by nature, as the value is.
 */
public final class NodeFeatures {
  /** Cores per GPU at which the CPU hinges sit. */
  private static final double[] CORES_PER_GPU = {3, 6, 9, 12, 16, 24};

  /** Memory per GPU at which the memory hinges sit, in GiB. */
  private static final double[] GIB_PER_GPU = {12, 24, 40, 56, 80};

  private static final double GIB = 1L << 30;
  private static final int SMALL_REMAINDER_MILLI = 200;

  /** In order; a model file carries a hash of them and is refused if they changed. */
  public static final List<String> NAMES = names();

  public static final int COUNT = NAMES.size();

  private NodeFeatures() {}

  /**
   * Features of the node with {@code taken} milli less on each card of a mask, and less CPU and
   * memory.
   *
   * @param cards bit mask, 0 for no card
   * @param out feature f goes to {@code out[start + f]}
   */
  public static void write(
      GpuNode node,
      int cards,
      int taken,
      long cpuMilli,
      long memoryBytes,
      WorkloadProfile workload,
      float[] out,
      int start) {
    int at = start;
    int idleMilli = 0;
    int whole = 0;
    int partial = 0;
    int largest = 0;
    int small = 0;
    long squares = 0;
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card);
      if ((cards >>> card & 1) != 0) {
        free -= taken;
      }
      idleMilli += free;
      if (free == GpuRequest.CARD_MILLI) {
        whole++;
      } else if (free > 0) {
        partial++;
        squares += (long) free * free;
        largest = Math.max(largest, free);
        if (free < SMALL_REMAINDER_MILLI) {
          small += free;
        }
      }
    }
    double idle = idleMilli / 1000.0;
    double cores = (node.freeCpuMilli() - cpuMilli) / 1000.0;
    double gib = (node.freeMemoryBytes() - memoryBytes) / GIB;
    double cpu = Math.min(cores, 128) / 12;
    double memory = Math.min(gib, 1024) / 48;
    out[at++] = (float) idle;
    out[at++] = whole;
    out[at++] = partial;
    out[at++] = (float) (squares / 1e6);
    out[at++] = (float) (largest / 1e3);
    out[at++] = (float) (small / 1e3 * 4);
    out[at++] = (float) (cpu / 2);
    out[at++] = (float) (memory / 2);
    for (double k : CORES_PER_GPU) {
      out[at++] = (float) Math.max(0, idle - cores / k);
    }
    for (double k : GIB_PER_GPU) {
      out[at++] = (float) Math.max(0, idle - gib / k);
    }
    double rootCpu = Math.sqrt(cpu);
    double rootIdle = Math.sqrt(idle);
    out[at++] = (float) rootIdle;
    out[at++] = (float) rootCpu;
    out[at++] = (float) Math.sqrt(memory);
    out[at++] = (float) (rootIdle * rootCpu);
    out[at++] = (float) (idle * cpu / 8);
    out[at++] = whole < node.cards() ? 1 : 0;
    out[at++] = idleMilli == 0 ? 1 : 0;
    out[at++] = whole >= 1 ? 1 : 0;
    out[at++] = whole >= 2 ? 1 : 0;
    out[at++] = whole >= 4 ? 1 : 0;
    out[at++] = whole >= 8 ? 1 : 0;
    double pressure = workload.pressure(node.model());
    out[at++] = (float) pressure;
    out[at++] = (float) (pressure * idle);
    out[at++] = (float) (node.cards() / 8.0);
    out[at++] = (float) workload.cpuTightness();
    out[at++] = (float) workload.memoryTightness();
    out[at++] = (float) workload.sharedDemand();
    out[at] = (float) workload.multiDemand();
  }

  private static List<String> names() {
    List<String> names =
        new ArrayList<>(
            List.of("idle", "whole", "partial", "partial-squares", "largest-partial", "small"));
    names.addAll(List.of("cpu", "memory"));
    Arrays.stream(CORES_PER_GPU).forEach(k -> names.add("idle-beyond-cpu/" + k));
    Arrays.stream(GIB_PER_GPU).forEach(k -> names.add("idle-beyond-gib/" + k));
    names.addAll(List.of("root-idle", "root-cpu", "root-memory", "root-idle*cpu", "idle*cpu"));
    names.addAll(List.of("in-use", "full", "whole>=1", "whole>=2", "whole>=4", "whole>=8"));
    names.addAll(List.of("typed-pressure", "typed-pressure*idle", "cards"));
    names.addAll(List.of("cpu-tightness", "memory-tightness", "shared-demand", "multi-demand"));
    return List.copyOf(names);
  }
}
