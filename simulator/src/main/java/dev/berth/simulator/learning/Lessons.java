package dev.berth.simulator.learning;

import dev.berth.policy.Policy;
import dev.berth.policy.heuristic.Policies;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Episodes at the start of a training run that another policy plays: first those whose preferences
 * the agent imitates, then those from which it learns by their outcome.
 *
 * @param warmStart policy to imitate
 * @param imitated episodes of it; 0 for none
 * @param prefill policy whose decisions fill the replay buffer
 * @param watched episodes of it; 0 for none
 */
public record Lessons(String warmStart, int imitated, String prefill, int watched) {
  /** The agent learns from its own decisions alone. */
  public static final Lessons NONE = new Lessons("", 0, "", 0);

  /** What the agent does in an episode that a teacher plays. */
  enum Manner {
    IMITATES,
    WATCHES
  }

  /** Who plays an episode, and what the agent makes of it. */
  record Lesson(Policy teacher, Manner manner) {}

  /** The lesson of an episode; null when the agent plays itself. */
  @Nullable Lesson lesson(long episode, RandomGenerator random) {
    if (episode < imitated) {
      return new Lesson(Policies.byName(warmStart, random), Manner.IMITATES);
    }
    return episode < imitated + watched
        ? new Lesson(Policies.byName(prefill, random), Manner.WATCHES)
        : null;
  }

  /** Whether the warm start is over just before this episode. */
  boolean graduatesBefore(long episode) {
    return imitated > 0 && episode == imitated;
  }
}
