package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.BestFit;
import dev.berth.policy.gpu.DotProduct;
import dev.berth.policy.gpu.FragmentationGradient;
import dev.berth.policy.gpu.GpuClustering;
import dev.berth.policy.gpu.GpuPacking;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.RandomNode;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGeneratorFactory;

/** Policies by name; what a policy may know of the workload is the listed pods, as published. */
public final class GpuPolicies implements FillUpExperiment.PolicyFactory {
  public static final String LEARNED = "berth";

  /** All names, weakest first. */
  public static final List<String> NAMES =
      List.of("random", "dot-product", "gpu-clustering", "gpu-packing", "best-fit", "fgd", LEARNED);

  /** Before the file name of a model that stands beside the others. */
  public static final String MODEL_PREFIX = "model:";

  private final GpuModel model;
  private final Map<String, GpuModel> others;

  /**
   * Scorers with a model of one's own behind {@code berth}.
   *
   * @param model shared between threads, read only
   */
  public GpuPolicies(GpuModel model) {
    this(model, Map.of());
  }

  /**
   * The same with more models.
   *
   * @param others by their names in {@code --policies}, which begin with {@link #MODEL_PREFIX}
   */
  public GpuPolicies(GpuModel model, Map<String, GpuModel> others) {
    this.model = model;
    this.others = Map.copyOf(others);
  }

  @Override
  public GpuPolicy make(String policy, GpuTrace trace, long seed) {
    GpuModel other = others.get(policy);
    if (other != null) {
      return other.policy(policy, profile(trace));
    }
    return switch (policy) {
      case "random" -> new RandomNode(RandomGeneratorFactory.of(FillUp.GENERATOR).create(~seed));
      case "dot-product" -> new DotProduct();
      case "gpu-clustering" -> new GpuClustering();
      case "gpu-packing" -> new GpuPacking();
      case "best-fit" -> new BestFit();
      case "fgd" ->
          new FragmentationGradient(TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE));
      case LEARNED -> model.policy(LEARNED, profile(trace));
      default ->
          throw new IllegalArgumentException(
              "unknown GPU policy '%s': choose from %s, %sFILE"
                  .formatted(policy, String.join(", ", NAMES), MODEL_PREFIX));
    };
  }

  static WorkloadProfile profile(GpuTrace trace) {
    return WorkloadProfile.of(
        trace.shapes(), trace.nodes().stream().map(GpuTrace.NodeRow::empty).toList());
  }
}
