package dev.berth.policy.cluster;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The feasible nodes of one decision as columns: entry i of every array is candidate i. Arrays are
 * shared, not copied: whoever gets a {@code Candidates} must not write to it.
 *
 * @param names node names, unique
 * @param cpuMilli allocatable CPU in milli-cores
 * @param memoryBytes allocatable memory in bytes
 * @param podLimit allocatable pods
 * @param cpuRequestedMilli sum of CPU requests of the pods assumed or bound there, in milli-cores;
 *     {@link #NOT_TOLD} where only metrics have named the node
 * @param memoryRequestedBytes the same for memory
 * @param podCount pods assumed or bound there
 * @param pendingCpuMilli part of {@code cpuRequestedMilli} that this scheduler reserved more
 *     recently than any usage sample can show
 * @param pendingMemoryBytes the same for memory
 * @param pendingPods the same as a number of pods
 * @param zones zone label, empty where absent
 * @param racks rack label, empty where absent
 * @param gpus GPU columns, null when no candidate has a GPU
 */
public record Candidates(
    String[] names,
    long[] cpuMilli,
    long[] memoryBytes,
    int[] podLimit,
    long[] cpuRequestedMilli,
    long[] memoryRequestedBytes,
    int[] podCount,
    long[] pendingCpuMilli,
    long[] pendingMemoryBytes,
    int[] pendingPods,
    String[] zones,
    String[] racks,
    @Nullable GpuColumns gpus) {

  /** In the place of {@code cpuRequestedMilli}: no scheduler has told, the books alone say. */
  public static final long NOT_TOLD = -1;

  public Candidates {
    int n = names.length;
    require(n, cpuMilli.length, "cpuMilli");
    require(n, memoryBytes.length, "memoryBytes");
    require(n, podLimit.length, "podLimit");
    require(n, cpuRequestedMilli.length, "cpuRequestedMilli");
    require(n, memoryRequestedBytes.length, "memoryRequestedBytes");
    require(n, podCount.length, "podCount");
    require(n, pendingCpuMilli.length, "pendingCpuMilli");
    require(n, pendingMemoryBytes.length, "pendingMemoryBytes");
    require(n, pendingPods.length, "pendingPods");
    require(n, zones.length, "zones");
    require(n, racks.length, "racks");
    if (gpus != null) {
      require(n, gpus.models().length, "gpus.models");
      require(n, gpus.freeMilli().length, "gpus.freeMilli");
    }
  }

  public int size() {
    return names.length;
  }

  /** Every step-th of them, the first included. */
  public Candidates every(int step) {
    return only(IntStream.iterate(0, i -> i < size(), i -> i + step).toArray(), null);
  }

  /** Those at the given positions, in that order. */
  public Candidates only(int[] kept) {
    GpuColumns all = gpus;
    return only(
        kept,
        all == null
            ? null
            : new GpuColumns(
                texts(all.models(), kept),
                IntStream.of(kept).mapToObj(i -> all.freeMilli()[i]).toArray(int[][]::new)));
  }

  private Candidates only(int[] kept, @Nullable GpuColumns keptGpus) {
    return new Candidates(
        texts(names, kept),
        longs(cpuMilli, kept),
        longs(memoryBytes, kept),
        ints(podLimit, kept),
        longs(cpuRequestedMilli, kept),
        longs(memoryRequestedBytes, kept),
        ints(podCount, kept),
        longs(pendingCpuMilli, kept),
        longs(pendingMemoryBytes, kept),
        ints(pendingPods, kept),
        texts(zones, kept),
        texts(racks, kept),
        keptGpus);
  }

  /** Candidates of which something can be said: a share of nothing is not a number. */
  public int[] sound() {
    int[] found = new int[size()]; // of nearly all
    int count = 0;
    for (int i = 0; i < found.length; i++) {
      if (cpuMilli[i] > 0 && memoryBytes[i] > 0 && podLimit[i] > 0) {
        found[count++] = i;
      }
    }
    return count == found.length ? found : Arrays.copyOf(found, count);
  }

  /** Whether candidate {@code i} can take what a pod requests; where its memory is known. */
  public boolean hasRoom(int i, Pod pod) {
    return cpuRequestedMilli[i] + pod.cpuMilli() <= cpuMilli[i]
        && (memoryBytes[i] == 0 || memoryRequestedBytes[i] + pod.memoryBytes() <= memoryBytes[i])
        && podCount[i] < podLimit[i];
  }

  private static String[] texts(String[] column, int[] kept) {
    return IntStream.of(kept).mapToObj(i -> column[i]).toArray(String[]::new);
  }

  private static long[] longs(long[] column, int[] kept) {
    return IntStream.of(kept).mapToLong(i -> column[i]).toArray();
  }

  private static int[] ints(int[] column, int[] kept) {
    return IntStream.of(kept).map(i -> column[i]).toArray();
  }

  private static void require(int expected, int actual, String column) {
    if (actual != expected) {
      throw new IllegalArgumentException(
          "column "
              + column
              + " has "
              + actual
              + " entries, names has "
              + expected
              + ": every column needs one entry per node");
    }
  }
}
