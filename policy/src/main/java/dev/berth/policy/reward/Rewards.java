package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The reward of a placement: minus the weighted increase of every term, as a difference to the
 * candidates' mean. Read from and written as {@code balance=1,overload=10}.
 *
 * <p>A term that knows nothing of at least two candidates is left out; a candidate that some other
 * term does not know has no reward at all (NaN), rather than one from half the story.
 *
 * @param weights by the terms' names, in their order; a negative weight rewards what a term counts
 */
public record Rewards(Map<String, Double> weights) {
  private static final Map<String, RewardTerm> TERMS = new LinkedHashMap<>();

  static {
    for (RewardTerm term :
        List.of(
            new Balance(),
            new Overload(),
            new Pack(),
            new Connections(),
            new Latency(),
            new Energy(),
            new GpuFragmentation(),
            new Locality())) {
      TERMS.put(term.name(), term);
    }
  }

  /** The cost that Berth is judged by, see {@link dev.berth.policy.predict.PlacementCost}. */
  public static final Rewards USAGE = new Rewards(Map.of("balance", 1.0, "overload", 10.0));

  public Rewards {
    Map<String, Double> ordered = new LinkedHashMap<>();
    for (String name : TERMS.keySet()) {
      Double weight = weights.get(name);
      if (weight != null && weight != 0) {
        ordered.put(name, weight);
      }
    }
    for (Map.Entry<String, Double> e : weights.entrySet()) {
      if (!TERMS.containsKey(e.getKey())) {
        throw new IllegalArgumentException(
            "unknown reward '" + e.getKey() + "': the terms are " + String.join(", ", names()));
      }
      if (!Double.isFinite(e.getValue())) {
        throw new IllegalArgumentException(
            "the weight of reward " + e.getKey() + " must be a number, got " + e.getValue());
      }
    }
    if (ordered.isEmpty()) {
      throw new IllegalArgumentException("rewards need a term whose weight is not 0");
    }
    weights = java.util.Collections.unmodifiableMap(ordered);
  }

  /** All terms' names. */
  public static List<String> names() {
    return List.copyOf(TERMS.keySet());
  }

  /**
   * Reads {@code balance=1,pack=0.5}; a name without a weight counts 1.
   *
   * @throws IllegalArgumentException naming what is wrong, with all terms
   */
  public static Rewards parse(String text) {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("=", 2);
      try {
        weights.put(pair[0].strip(), pair.length == 1 ? 1.0 : Double.parseDouble(pair[1].strip()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "the weight of reward " + pair[0] + " is '" + pair[1] + "', expected a number", e);
      }
    }
    return new Rewards(weights);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    weights.forEach((name, weight) -> text.add(name + "=" + weight));
    return text.toString();
  }

  /** Whether all of it is known when the pod is placed, given that the load is. */
  public boolean immediate(boolean loadIsKnown) {
    return weights.keySet().stream()
        .map(Rewards::term)
        .allMatch(
            t ->
                t instanceof RewardTerm.Immediate
                    || (loadIsKnown && (t instanceof Balance || t instanceof Overload)));
  }

  /** Whether terms rest on more of a sample than its CPU. */
  public boolean readsSamples() {
    return weights.keySet().stream()
        .map(Rewards::term)
        .anyMatch(t -> t instanceof Connections || t instanceof Latency);
  }

  /** The latency limits that matter: of the pod alone, unless a term asks for the others'. */
  public Measurement.Limits limits(Decision d) {
    return weights.containsKey("latency")
        ? new Measurement.Limits(d.pod().latency(), d.state().latencyLimits(d.candidates()))
        : Measurement.Limits.alone(d.pod().latency(), d.candidates().size());
  }

  /** Terms that have a column of features, in the order of {@link #featureColumns}. */
  public List<String> seen() {
    return weights.keySet().stream().filter(name -> term(name).seen()).toList();
  }

  /** What a network must see beside the ordinary features, a column per term that has one. */
  public List<RewardTerm.FeatureColumn> featureColumns(Decision d) {
    List<RewardTerm.FeatureColumn> featureColumns = new ArrayList<>();
    for (String name : weights.keySet()) {
      RewardTerm.FeatureColumn column = term(name).featureColumn(d);
      if (column != null) {
        featureColumns.add(column);
      }
    }
    return featureColumns;
  }

  /**
   * Minus the weighted increase by the terms that are known at once, {@code [candidates]}; NaN
   * where one of them does not know. Zeros without such terms.
   */
  public double[] immediateRewards(Decision d) {
    double[] sum = new double[d.candidates().size()];
    boolean hasReward = false;
    boolean any = false;
    for (Map.Entry<String, Double> e : weights.entrySet()) {
      if (term(e.getKey()) instanceof RewardTerm.Immediate t) {
        any = true;
        double[] increase = t.increase(d);
        if (known(increase) >= 2) {
          hasReward = true;
          add(sum, increase, e.getValue());
        }
      }
    }
    if (any && !hasReward) {
      Arrays.fill(sum, Double.NaN);
    }
    return sum;
  }

  /**
   * The rewards of all candidates, NaN where there is none.
   *
   * @param immediateRewards as {@link #immediateRewards} gave when the pod was placed
   */
  public double[] of(double[] immediateRewards, Measurement m) {
    boolean hasReward = hasImmediate() && known(immediateRewards) >= 2;
    double[] sum =
        hasReward || !hasImmediate()
            ? immediateRewards.clone()
            : new double[immediateRewards.length];
    boolean[] unknown = new boolean[sum.length];
    for (Map.Entry<String, Double> e : weights.entrySet()) {
      if (term(e.getKey()) instanceof RewardTerm.Delayed t) {
        double[] reading = t.reading(m);
        if (known(reading) < 2) {
          continue;
        }
        hasReward = true;
        add(sum, t.increase(m), e.getValue());
        for (int i = 0; i < sum.length; i++) {
          unknown[i] |= Double.isNaN(reading[i]);
        }
      }
    }
    center(sum);
    for (int i = 0; i < sum.length; i++) {
      sum[i] = unknown[i] || !hasReward ? Double.NaN : sum[i];
    }
    return sum;
  }

  private boolean hasImmediate() {
    return weights.keySet().stream().anyMatch(name -> term(name) instanceof RewardTerm.Immediate);
  }

  private static void add(double[] sum, double[] increase, double weight) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] -= weight * increase[i];
    }
  }

  /** Subtracts the mean of what is known. */
  public static void center(double[] values) {
    int known = known(values);
    double mean = 0;
    for (double v : values) {
      mean += Double.isNaN(v) ? 0 : v / known;
    }
    for (int i = 0; i < values.length; i++) {
      values[i] -= mean;
    }
  }

  private static int known(double[] values) {
    int known = 0;
    for (double v : values) {
      known += Double.isNaN(v) ? 0 : 1;
    }
    return known;
  }

  private static RewardTerm term(String name) {
    RewardTerm term = TERMS.get(name);
    if (term == null) {
      throw new AssertionError("the constructor lets known names through only: " + name);
    }
    return term;
  }
}
