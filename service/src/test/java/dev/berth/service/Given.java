package dev.berth.service;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.service.config.ConfigLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tests begin with: candidates of 64 cores, 256 GiB and 110 pods each, nothing requested; and
 * a running service.
 */
public final class Given {
  private Given() {}

  /**
   * A service on free ports that keeps its state in {@code folder} and does not warm up.
   *
   * @param settings more environment, or other
   */
  public static Service service(Path folder, Map<String, String> settings) {
    return service(folder, settings, new FastClock(1));
  }

  /** The same by another clock. */
  static Service service(Path folder, Map<String, String> settings, FastClock clock) {
    Map<String, String> environment = new HashMap<>();
    environment.put("BERTH_SERVER_PORT", "0");
    environment.put("BERTH_SERVER_SCHEDULER_PORT", "0");
    environment.put("BERTH_SERVER_WARM_UP", "0s");
    environment.put("BERTH_STATE_FOLDER", folder.toString());
    environment.putAll(settings);
    return Service.start(
        ConfigLoader.load(null, environment), new SteadyClock(clock, clock::nanos));
  }

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
