package dev.berth.policy.gpu;

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

  public String label() {
    return label;
  }
}
