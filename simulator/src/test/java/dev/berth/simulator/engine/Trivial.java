package dev.berth.simulator.engine;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.simulator.usage.Draws;
import java.util.function.ToDoubleBiFunction;

/** The smallest policies that can drive a run. */
final class Trivial {
  private Trivial() {}

  static final PolicyFactory LEAST_REQUESTED =
      policy(
          "least-requested",
          (d, i) -> -(double) d.candidates().cpuRequestedMilli()[i] / d.candidates().cpuMilli()[i]);

  static PolicyFactory random() {
    return context ->
        policy(
                "random",
                (d, i) ->
                    Draws.uniform(
                        Draws.hash(context.seed(), d.pod().uid() + d.candidates().names()[i])))
            .create(context);
  }

  static PolicyFactory policy(String name, ToDoubleBiFunction<Decision, Integer> score) {
    return context ->
        new Policy() {
          @Override
          public String name() {
            return name;
          }

          @Override
          public void score(Decision decision, double[] preferences) {
            for (int i = 0; i < preferences.length; i++) {
              preferences[i] = score.applyAsDouble(decision, i);
            }
          }
        };
  }
}
