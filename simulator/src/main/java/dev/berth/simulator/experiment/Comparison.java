package dev.berth.simulator.experiment;

import dev.berth.simulator.statistics.Summary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The questions a leaderboard answers about one metric, each as a mean over scenarios or a count of
 * scenarios whose paired 95 % interval is clear of zero.
 */
public final class Comparison {
  /** What one can install today; the best of them per scenario is picked in hindsight. */
  public static final List<String> SHIPPED =
      List.of(
          "default",
          "default-spread",
          "least-allocated",
          "target-load-packing-0.34",
          "target-load-packing-0.34+spread",
          "load-variation-risk-0.34",
          "load-variation-risk-0.34+spread",
          "hot-value",
          "usage-plus-estimate",
          "koordinator-1.8",
          "koordinator-1.8+stock",
          "koordinator-1.8-fresh");

  private final Results results;
  private final Metric metric;

  public Comparison(Results results, Metric metric) {
    this.results = results;
    this.metric = metric;
  }

  /**
   * How a policy stands to a rival.
   *
   * @param better scenarios where it is clearly better
   * @param worse scenarios where it is clearly worse
   * @param scenarios compared
   * @param relative mean over scenarios of its mean / the rival's mean - 1
   * @param worst largest of these
   */
  public record Standing(int better, int worse, int scenarios, double relative, double worst) {}

  /** Scenarios that were seen in training, or those that were not. */
  public static Predicate<String> seen(Results results, boolean wanted) {
    return scenario -> results.seenInTraining(scenario) == wanted;
  }

  public Optional<Summary> summary(String scenario, String policy) {
    double[] values = results.values(scenario, policy, metric);
    return values.length == 0 ? Optional.empty() : Optional.of(Summary.of(values));
  }

  /** Compares with one rival. */
  public Standing against(String policy, String rival, Predicate<String> scenarios) {
    return standing(policy, s -> rival, scenarios);
  }

  /** Compares with the best shipped heuristic of each scenario. */
  public Standing againstBestShipped(String policy, Predicate<String> scenarios) {
    return standing(policy, this::bestShipped, scenarios);
  }

  /** The shipped heuristic with the lowest mean; empty string when none was run. */
  public String bestShipped(String scenario) {
    String best = "";
    double least = Double.POSITIVE_INFINITY;
    for (String rival : SHIPPED) {
      double mean = summary(scenario, rival).map(Summary::mean).orElse(Double.POSITIVE_INFINITY);
      if (mean < least) {
        least = mean;
        best = rival;
      }
    }
    return best;
  }

  /** Mean over scenarios of (stock - policy) / (stock - oracle). */
  public OptionalDouble gapClosed(
      String policy, String stock, String oracle, Predicate<String> scenarios) {
    return results.scenarios().stream()
        .filter(scenarios)
        .filter(s -> known(s, policy) && known(s, stock) && known(s, oracle))
        .mapToDouble(s -> (mean(s, stock) - mean(s, policy)) / (mean(s, stock) - mean(s, oracle)))
        .average();
  }

  private Standing standing(
      String policy,
      java.util.function.UnaryOperator<String> rivalOf,
      Predicate<String> scenarios) {
    int better = 0;
    int worse = 0;
    int n = 0;
    double sum = 0;
    double worst = Double.NEGATIVE_INFINITY;
    for (String scenario : results.scenarios()) {
      String rival = rivalOf.apply(scenario);
      if (scenarios.test(scenario) && known(scenario, policy) && known(scenario, rival)) {
        Summary difference =
            Summary.paired(
                results.values(scenario, policy, metric), results.values(scenario, rival, metric));
        better += difference.clearlyBelowZero() ? 1 : 0;
        worse += difference.clearlyAboveZero() ? 1 : 0;
        double relative = difference.mean() / mean(scenario, rival);
        sum += relative;
        worst = Math.max(worst, relative);
        n++;
      }
    }
    return new Standing(better, worse, n, n == 0 ? Double.NaN : sum / n, worst);
  }

  private boolean known(String scenario, String policy) {
    return results.values(scenario, policy, metric).length > 0;
  }

  private double mean(String scenario, String policy) {
    return Summary.of(results.values(scenario, policy, metric)).mean();
  }
}
