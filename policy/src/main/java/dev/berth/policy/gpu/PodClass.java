package dev.berth.policy.gpu;

import dev.berth.policy.cluster.GpuRequest;

/** Classes of GPU demand: a policy may not buy allocation by starving one of them unseen. */
public enum PodClass {
  CPU_ONLY("cpu-only"),
  SHARED("shared"),
  ONE_GPU("1-gpu"),
  MULTI_GPU("2..7-gpu"),
  EIGHT_GPU("8-gpu");

  private final String label;

  PodClass(String label) {
    this.label = label;
  }

  /** The class by which failures are reported. */
  public static PodClass of(GpuRequest request) {
    if (request.count() == 0) {
      return CPU_ONLY;
    }
    if (request.sharesCard()) {
      return SHARED;
    }
    return switch (request.count()) {
      case 1 -> ONE_GPU;
      case 8 -> EIGHT_GPU;
      default -> MULTI_GPU;
    };
  }

  public String label() {
    return label;
  }
}
