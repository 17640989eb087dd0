package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.FragmentationGradient;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One trace on which models are judged against FGD, which runs once per seed. */
final class Validation {
  static final double DEFAULT_GOAL = 0.5;
  private static final double PENALTY_PER_POINT = 2;

  private final double goal;
  private final List<Long> seeds;
  private final FillUp fillUp;
  private final WorkloadProfile workload;
  private final List<FillUpResult> rivals = new ArrayList<>();

  /**
   * Runs FGD.
   *
   * @param goal wanted gain over FGD, points
   */
  Validation(GpuTrace trace, double demand, double goal, List<Long> seeds) {
    this.goal = goal;
    this.seeds = seeds;
    this.fillUp = new FillUp(trace, demand, TieRule.PUBLISHED);
    this.workload = GpuPolicies.profile(trace);
    TypicalPods typical = TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE);
    for (long seed : seeds) {
      rivals.add(fillUp.run(new FragmentationGradient(typical), seed));
    }
  }

  /**
   * One for each trace.
   *
   * @param goals by trace name, {@value #DEFAULT_GOAL} for a trace not named
   */
  static List<Validation> of(
      List<GpuTrace> traces, double demand, Map<String, Double> goals, List<Long> seeds) {
    List<Validation> validations = new ArrayList<>();
    for (GpuTrace trace : traces) {
      double goal = goals.getOrDefault(trace.name(), DEFAULT_GOAL);
      validations.add(new Validation(trace, demand, goal, seeds));
    }
    return validations;
  }

  /**
   * How a model did on several traces.
   *
   * @param worst the smallest {@link #objective}
   * @param text every outcome in brief, in the order of the traces
   */
  record Judgement(double worst, String text) {}

  /** Judges a model on every trace. */
  static Judgement judge(GpuModel model, List<Validation> validations) {
    StringBuilder text = new StringBuilder();
    double worst = Double.POSITIVE_INFINITY;
    for (Validation validation : validations) {
      FillUpComparison outcome = validation.judge(model);
      worst = Math.min(worst, validation.objective(outcome));
      text.append(outcome.brief());
    }
    return new Judgement(worst, text.toString());
  }

  private FillUpComparison judge(GpuModel model) {
    List<FillUpResult> ours = new ArrayList<>();
    for (long seed : seeds) {
      ours.add(fillUp.run(model.policy(GpuPolicies.LEARNED, workload), seed));
    }
    return FillUpComparison.of(ours, rivals);
  }

  /**
   * Gain beyond the goal, less a penalty for every guardrail missed. Limits are half of what is
   * promised, since other seeds differ.
   */
  private double objective(FillUpComparison outcome) {
    double missed =
        outcome.missed(
            FillUpComparison.MAX_LAG_POINTS / 2, FillUpComparison.MAX_EXTRA_FAILURES / 2);
    return outcome.gain() - goal - PENALTY_PER_POINT * missed;
  }
}
