package dev.berth.simulator.experiment;

import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How much load a policy carries, and how many nodes it needs, where it hurts as much as a
 * reference policy does on the scenarios as they are. Found by bisection over a {@link Dial}, for
 * one seed at a time and under common random numbers, so that differences between policies are
 * paired. The pain is the mean over all scenarios: a fleet is turned up as a whole, and no scenario
 * needs to hurt on its own. Pods that wait feel no latency and heat no node, so where more than a
 * hundredth of the reference policy's load waits it hurts too much whatever else is measured.
 */
public final class EqualPain {
  /** What is held equal, each by itself. */
  public static final List<Metric> PAINS =
      List.of(
          Metric.HOT_NODE_SHARE, Metric.P99_LATENCY_MILLIS, Metric.THROTTLED_CPU, Metric.EVICTIONS);

  /** Share of the reference's load that must run. */
  private static final double RUNS = 0.99;

  /** Does a run, or remembers it. */
  @FunctionalInterface
  public interface Runs {
    Map<Metric, Double> of(Scenario scenario, Dial dial, int position, Run run);
  }

  private final List<Scenario> scenarios;
  private final String reference;
  private final Runs runs;

  public EqualPain(List<Scenario> scenarios, String reference, Runs runs) {
    this.scenarios = List.copyOf(scenarios);
    this.reference = reference;
    this.runs = runs;
  }

  /**
   * What was found.
   *
   * @param pain of the reference policy; where it is zero nothing can be compared and all else NaN
   * @param before load carried (share of allocatable CPU), or nodes (1 for as many as there are),
   *     of the reference policy
   * @param after the same for the policy, at the same pain
   * @param atEnd whether the dial ended before the pain was reached, or began above it
   */
  public record Found(double pain, double before, double after, boolean atEnd) {}

  /** Turns a dial until one kind of pain is the reference policy's. */
  public Found find(Dial dial, Metric pain, String policy, long seed) {
    double target = mean(pain, dial, dial.origin(), reference, seed);
    if (!(target > 0)) {
      return new Found(target, Double.NaN, Double.NaN, false);
    }
    double before = amount(dial, dial.origin(), reference, seed);
    int low = 0;
    int high = dial.last();
    if (bearable(target, pain, dial, high, policy, seed)) {
      return new Found(target, before, amount(dial, high, policy, seed), true);
    }
    if (!bearable(target, pain, dial, low, policy, seed)) {
      return new Found(target, before, amount(dial, low, policy, seed), true);
    }
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (bearable(target, pain, dial, middle, policy, seed)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double below = mean(pain, dial, low, policy, seed);
    double above = mean(pain, dial, high, policy, seed);
    // Where it is the waiting that ends the search, the pain may not have been reached.
    double part = above > target ? (target - below) / (above - below) : 0;
    double after =
        (1 - part) * amount(dial, low, policy, seed) + part * amount(dial, high, policy, seed);
    return new Found(target, before, after, false);
  }

  private boolean bearable(
      double target, Metric pain, Dial dial, int position, String policy, long seed) {
    return mean(pain, dial, position, policy, seed) <= target
        && mean(Metric.CARRIED_LOAD, dial, position, policy, seed)
            >= RUNS * whole(dial, position, seed);
  }

  /** Mean load where as much runs as under the reference policy on the nodes of the file. */
  private double whole(Dial dial, int position, long seed) {
    return mean(
        s ->
            of(s, Metric.CARRIED_LOAD, dial, dial.origin(), reference, seed)
                * cpu(s)
                / cpu(dial.at(s, position)));
  }

  private static double cpu(Scenario scenario) {
    return scenario.nodes().stream().mapToDouble(g -> (double) g.count() * g.cpuMilli()).sum();
  }

  /** Nodes against those of the file: no scenario has half a node. */
  private double nodes(Dial dial, int position) {
    return mean(s -> (double) count(dial.at(s, position)) / count(s));
  }

  private static int count(Scenario scenario) {
    return scenario.nodes().stream().mapToInt(NodeGroup::count).sum();
  }

  /** Load that was really carried (pods that wait are none), or nodes. */
  private double amount(Dial dial, int position, String policy, long seed) {
    return dial == Dial.NODES
        ? nodes(dial, position)
        : mean(Metric.CARRIED_LOAD, dial, position, policy, seed);
  }

  private double mean(Metric metric, Dial dial, int position, String policy, long seed) {
    return mean(s -> of(s, metric, dial, position, policy, seed));
  }

  private double mean(ToDoubleFunction<Scenario> figure) {
    double sum = 0;
    for (Scenario s : scenarios) {
      sum += figure.applyAsDouble(s);
    }
    return sum / scenarios.size();
  }

  private double of(Scenario s, Metric metric, Dial dial, int position, String policy, long seed) {
    Run run = new Run(dial.name(s.name(), position), policy, seed);
    return runs.of(s, dial, position, run).getOrDefault(metric, Double.NaN);
  }
}
