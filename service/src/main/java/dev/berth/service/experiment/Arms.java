package dev.berth.service.experiment;

import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.service.scoring.Serving;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Makes what serves of an arm's name: {@code base}, the forecast alone; {@code KIND@VERSION}, a
 * version of the models that the service learns; or any policy that needs no model.
 *
 * @param kind of agent that the service is configured with; its policy's name when it learns
 *     nothing
 * @param version loads a version of it
 */
public record Arms(String kind, LongFunction<Serving> version) {
  public static final String BASE = "base";
  private static final char AT = '@';

  /** A version's name as an arm. */
  public static String name(String kind, long version) {
    return kind + AT + version;
  }

  /**
   * What serves as an arm.
   *
   * @throws IllegalArgumentException naming the arm and what would be right
   */
  public Serving serving(String arm) {
    int at = arm.indexOf(AT);
    if (at < 0) {
      if (Arrays.stream(AgentKind.values()).anyMatch(k -> k.id().equals(arm))) {
        throw notConfigured(arm);
      }
      return arm.equals(BASE)
          ? new Serving(PredictThenGreedy.best(), 0)
          : new Serving(Policies.byName(arm, new SplittableRandom()), 0);
    }
    if (!arm.substring(0, at).equals(kind)) {
      throw notConfigured(arm);
    }
    try {
      return version.apply(Long.parseLong(arm.substring(at + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "arm " + arm + ": after the @ comes a version, such as " + name(kind, 12), e);
    }
  }

  private IllegalArgumentException notConfigured(String arm) {
    return new IllegalArgumentException(
        "arm %s: the service is configured with scoring.policy %s and has no other models"
            .formatted(arm, kind));
  }
}
