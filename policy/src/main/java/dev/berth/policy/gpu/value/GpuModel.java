package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuScorer;

/** Something trained that can score GPU placements; immutable, safe to share. */
public interface GpuModel {

  /** A scorer for a workload of its own, for one thread. */
  GpuScorer scorer(String name, WorkloadProfile workload);

  /** The same model for a cluster where pods leave. */
  GpuModel withDepartures();
}
