package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuPolicy;

/** Something trained that can place GPU pods; immutable, safe to share. */
public interface GpuModel {

  /** A policy for a workload of its own, for one thread. */
  GpuPolicy policy(String name, WorkloadProfile workload);

  /** The same model for a cluster where pods leave. */
  GpuModel withDepartures();

  /** As a {@link GpuModelFile}. */
  byte[] encode();
}
