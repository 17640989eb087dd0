package dev.berth.service;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Candidates for tests: 64 cores, 256 GiB and 110 pods each, nothing requested. */
public final class Given {
  private Given() {}

  /** Without GPUs; tests write into the columns. */
  public static Candidates nodes(String... names) {
    return nodes(names, null);
  }

  /** {@code n0}, {@code n1}, ... with T4 cards of so much free milli, {@code [nodes][cards]}. */
  public static Candidates gpuNodes(int[][] free) {
    String[] names = new String[free.length];
    Arrays.setAll(names, i -> "n" + i);
    return nodes(names, new GpuColumns(filled(free.length, "T4"), free));
  }

  private static Candidates nodes(String[] names, @Nullable GpuColumns gpus) {
    int n = names.length;
    long[] cpu = new long[n];
    Arrays.fill(cpu, 64_000);
    long[] memory = new long[n];
    Arrays.fill(memory, 256L << 30);
    int[] limit = new int[n];
    Arrays.fill(limit, 110);
    String[] nowhere = filled(n, "");
    return new Candidates(
        names,
        cpu,
        memory,
        limit,
        new long[n],
        new long[n],
        new int[n],
        new long[n],
        new long[n],
        new int[n],
        nowhere,
        nowhere,
        gpus);
  }

  private static String[] filled(int n, String text) {
    String[] all = new String[n];
    Arrays.fill(all, text);
    return all;
  }
}
