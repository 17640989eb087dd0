package dev.berth.policy;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Nodes, pods and samples for tests, in words. */
public final class Given {
  public static final long GIB = 1L << 30;

  private Given() {}

  /** Nodes of one size with nothing requested; tests write into the columns. */
  public static Candidates nodes(int n, long cpuMilli) {
    String[] names = new String[n];
    long[] cpu = new long[n];
    long[] memory = new long[n];
    int[] limit = new int[n];
    String[] none = new String[n];
    for (int i = 0; i < n; i++) {
      names[i] = "node-" + i;
      cpu[i] = cpuMilli;
      memory[i] = 8 * GIB;
      limit[i] = 110;
      none[i] = "";
    }
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
        none,
        none.clone(),
        null);
  }

  /** The same nodes in another order. */
  public static Candidates reversed(Candidates c) {
    Candidates r = nodes(c.size(), 0);
    for (int i = 0; i < c.size(); i++) {
      int j = c.size() - 1 - i;
      r.names()[j] = c.names()[i];
      r.cpuMilli()[j] = c.cpuMilli()[i];
      r.cpuRequestedMilli()[j] = c.cpuRequestedMilli()[i];
      r.memoryRequestedBytes()[j] = c.memoryRequestedBytes()[i];
      r.podCount()[j] = c.podCount()[i];
    }
    return r;
  }

  public static ClusterState state() {
    return new ClusterState(UsageConfig.DEFAULT);
  }

  public static Pod pod(String uid, String owner, long cpuMilli) {
    return Pod.of(uid, owner, cpuMilli, GIB);
  }

  /** A sample of CPU alone. */
  public static NodeSample cpu(String node, double from, double to, double cores) {
    return new NodeSample(node, from, to, cores, Double.NaN, Double.NaN, Double.NaN);
  }

  public static double[] score(
      Policy policy, double now, Pod pod, Candidates c, @Nullable ClusterState state) {
    double[] out = new double[c.size()];
    Arrays.fill(out, Double.NaN);
    ClusterState known = state == null ? state() : state;
    known.deciding(c, now);
    policy.score(new Decision(now, pod, c, known), out);
    return out;
  }

  public static int best(double[] preferences) {
    int best = 0;
    for (int i = 1; i < preferences.length; i++) {
      best = preferences[i] > preferences[best] ? i : best;
    }
    return best;
  }

  /** A file whose checksum is right again after it was changed. */
  public static byte[] resealed(byte[] file) {
    CRC32C crc = new CRC32C();
    crc.update(file, 0, file.length - Long.BYTES);
    ByteBuffer.wrap(file).putLong(file.length - Long.BYTES, crc.getValue());
    return file;
  }
}
