package dev.berth.policy.heuristic;

import dev.berth.policy.Policy;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.predict.UsagePredictor;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Every policy that needs no model file, by kebab-case name. {@code NAME:no-PART} takes a part of
 * the estimation away from a predict-then-greedy policy, for ablations, as in {@code
 * predict-then-greedy:no-ledger}.
 */
public final class Policies {
  private static final Map<String, Function<RandomGenerator, Policy>> ALL = new TreeMap<>();

  static {
    ALL.put("random", RandomScore::new);
    ALL.put("round-robin", r -> new RoundRobin());
    for (String name : List.of("least-allocated", "la")) {
      ALL.put(name, r -> new PerNode(name, (d, i) -> Allocation.least(d.candidates(), i, d.pod())));
    }
    for (String name : List.of("most-allocated", "ma")) {
      ALL.put(name, r -> new PerNode(name, (d, i) -> Allocation.most(d.candidates(), i, d.pod())));
    }
    ALL.put(
        "balanced-allocation",
        r ->
            new PerNode(
                "balanced-allocation", (d, i) -> Allocation.balanced(d.candidates(), i, d.pod())));
    ALL.put("default", r -> new DefaultProfile(false));
    ALL.put("default-spread", r -> new DefaultProfile(true));
    ALL.put("hot-value", r -> new HotValue());
    ALL.put("usage-plus-estimate", r -> new UsagePlusEstimate());
    ALL.put("lc", r -> new LeastConnections());
    ALL.put("p0", r -> new LatencyAware());
    greedy("predict-then-greedy", UsagePredictor.STATIC, true);
    greedy("ptg-pod", UsagePredictor.LIVE, false, Part.TIME_OF_DAY, Part.HEDGE);
    greedy("ptg-static", UsagePredictor.STATIC, false, Part.TIME_OF_DAY, Part.PER_POD, Part.HEDGE);
    greedy("ptg-blend", UsagePredictor.BLEND, false, Part.TIME_OF_DAY, Part.PER_POD, Part.HEDGE);
    greedy("ptg-perpod-blend", UsagePredictor.BLEND, false, Part.TIME_OF_DAY, Part.HEDGE);
    greedy("ptg-future", UsagePredictor.BLEND, true, Part.TIME_OF_DAY, Part.HEDGE);
    greedy("ptg-timeofday", UsagePredictor.BLEND, true, Part.HEDGE);
    greedy("ptg-bookkeeping", UsagePredictor.STATIC, true, Part.SAMPLES);
  }

  private Policies() {}

  private static void greedy(
      String name, UsagePredictor predictor, boolean ahead, Part... without) {
    ALL.put(name, r -> new PredictThenGreedy(name, predictor, ahead, Set.of(without)));
  }

  /** All names, sorted. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /**
   * Makes a policy.
   *
   * @param random source of its own randomness, if it has any
   * @throws IllegalArgumentException for an unknown name; the message lists all
   */
  public static Policy byName(String name, RandomGenerator random) {
    String[] parts = name.split(":");
    Function<RandomGenerator, Policy> maker = ALL.get(parts[0]);
    if (maker == null) {
      throw new IllegalArgumentException(
          "unknown policy '" + name + "': choose one of " + String.join(", ", names()));
    }
    Policy policy = maker.apply(random);
    return parts.length == 1 ? policy : ablated(name, parts, policy);
  }

  private static Policy ablated(String name, String[] parts, Policy policy) {
    if (!(policy instanceof PredictThenGreedy greedy)) {
      throw new IllegalArgumentException(
          "policy '" + name + "': only predict-then-greedy policies have parts to take away");
    }
    Set<Part> without = EnumSet.noneOf(Part.class);
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].replaceFirst("^no-", "").replace('-', '_').toUpperCase(Locale.ROOT);
      try {
        without.add(Part.valueOf(part));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "policy '"
                + name
                + "': '"
                + parts[i]
                + "' is not no- and one of "
                + List.of(Part.values()).toString().toLowerCase(Locale.ROOT).replace('_', '-'),
            e);
      }
    }
    return greedy.without(name, without);
  }
}
