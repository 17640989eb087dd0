package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/** The node that was preferred longest ago, first by name among those never preferred. */
final class RoundRobin implements Policy {
  private final Map<String, Long> turns = new HashMap<>();
  private long turn;

  @Override
  public String name() {
    return "round-robin";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    String[] names = decision.candidates().names();
    int best = 0;
    for (int i = 0; i < names.length; i++) {
      long last = turns.getOrDefault(names[i], -1L);
      preferences[i] = -last;
      long lead = turns.getOrDefault(names[best], -1L);
      if (last < lead || (last == lead && names[i].compareTo(names[best]) < 0)) {
        best = i;
      }
    }
    if (names.length > 0) {
      preferences[best] += 0.5;
      turns.put(names[best], turn++);
    }
  }
}
