package dev.berth.simulator.rival;

import dev.berth.policy.Policy;
import dev.berth.simulator.engine.PolicyFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Other schedulers' load-aware plugins by name and release.
 *
 * <p>By its bare name a plugin ranks nodes alone. What users install keeps stock scorers beside it:
 * koordinator's manifest all of them, and has the filter off ({@code +stock}); Trimaran's KEP
 * switches LeastAllocated and BalancedAllocation off and keeps PodTopologySpread ({@code +spread}).
 * {@code koordinator-1.8-fresh} is tuned: the shortest window and report interval of its agent.
 */
public final class Rivals {
  private static final Map<String, Function<String, Policy>> ALL = new TreeMap<>();

  static {
    ALL.put("koordinator-1.8", name -> new LoadAware(name, Koordlet.DEFAULT, true));
    ALL.put("koordinator-1.8-fresh", name -> new LoadAware(name, Koordlet.FRESHEST, true));
    ALL.put(
        "koordinator-1.8+stock",
        name -> new WithStock<>(name, new LoadAware(name, Koordlet.DEFAULT, false), true));
    ALL.put("target-load-packing-0.34", TargetLoadPacking::new);
    ALL.put(
        "target-load-packing-0.34+spread",
        name -> new WithStock<>(name, new TargetLoadPacking(name), false));
    ALL.put("load-variation-risk-0.34", LoadVariationRisk::new);
    ALL.put(
        "load-variation-risk-0.34+spread",
        name -> new WithStock<>(name, new LoadVariationRisk(name), false));
  }

  private Rivals() {}

  /** All names, sorted. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** The policy of that name, or null when it is none of these. */
  public static @Nullable PolicyFactory find(String name) {
    Function<String, Policy> maker = ALL.get(name);
    return maker == null ? null : context -> maker.apply(name);
  }
}
