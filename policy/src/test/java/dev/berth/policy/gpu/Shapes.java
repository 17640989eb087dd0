package dev.berth.policy.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import java.util.List;

/** Short hands for tests. */
final class Shapes {
  static final long GIB = 1L << 30;

  private Shapes() {}

  static PodRequests cpuOnly(long cpuMilli) {
    return new PodRequests(cpuMilli, GIB, GpuRequest.NONE);
  }

  static PodRequests shared(long cpuMilli, int milli) {
    return new PodRequests(cpuMilli, GIB, new GpuRequest(1, milli, List.of()));
  }

  static PodRequests whole(long cpuMilli, int count, String... models) {
    return new PodRequests(cpuMilli, GIB, new GpuRequest(count, 1000, List.of(models)));
  }

  static GpuNode node(String model, long cpuMilli, int... freeMilli) {
    return starved(model, cpuMilli, cpuMilli, freeMilli);
  }

  static GpuNode starved(String model, long cpuMilli, long freeCpuMilli, int... freeMilli) {
    return GpuNode.observed("node", model, freeMilli, cpuMilli, 512 * GIB, freeCpuMilli, 512 * GIB);
  }
}
