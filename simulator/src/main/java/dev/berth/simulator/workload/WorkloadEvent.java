package dev.berth.simulator.workload;

import java.util.List;

/** Something the users of a cluster do at a given second. */
public sealed interface WorkloadEvent {
  double at();

  /** Pods of one owner are submitted. */
  record Submit(double at, List<PodSpec> pods) implements WorkloadEvent {
    public Submit {
      pods = List.copyOf(pods);
    }
  }

  /** All pods of an owner are deleted (a rolling update replaces them). */
  record DeleteOwner(double at, String owner) implements WorkloadEvent {}

  /** Everything is deleted: an epoch ends. */
  record Reset(double at) implements WorkloadEvent {}
}
