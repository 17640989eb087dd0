package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * What kubelet, the container runtime and DaemonSets use on a node: in nobody's request, in every
 * sample.
 */
public record DaemonOverhead(double cpuCores, double memoryBytes) {

  static DaemonOverhead draw(long seed, String node, double cpuCores, double memoryBytes) {
    SplittableRandom random = Draws.stream(seed, "daemons/" + node);
    return new DaemonOverhead(
        cpuCores * new Range(0.005, 0.02).draw(random),
        memoryBytes * new Range(0.01, 0.03).draw(random));
  }
}
