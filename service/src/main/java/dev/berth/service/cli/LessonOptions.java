package dev.berth.service.cli;

import dev.berth.policy.heuristic.Policies;
import dev.berth.simulator.learning.Lessons;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What other policies show an agent before it places pods itself. */
final class LessonOptions {
  @Option(
      names = "--warm-start",
      paramLabel = "P",
      description = "Imitate a policy's preferences first; for an agent alone.")
  private @Nullable String warmStart;

  @Option(
      names = "--warm-start-episodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Episodes of it. Default: ${DEFAULT-VALUE}.")
  private int imitated;

  @Option(
      names = "--prefill",
      paramLabel = "P",
      description = "Fill the replay buffer with what came of a policy's placements first.")
  private @Nullable String prefill;

  @Option(
      names = "--prefill-episodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Episodes of it. Default: ${DEFAULT-VALUE}.")
  private int watched;

  /** Throws IllegalArgumentException for a policy that does not exist. */
  Lessons lessons() {
    return new Lessons(
        known(warmStart),
        warmStart == null ? 0 : imitated,
        known(prefill),
        prefill == null ? 0 : watched);
  }

  private static String known(@Nullable String policy) {
    if (policy == null) {
      return "";
    }
    return Policies.byName(policy, new SplittableRandom(0)).name();
  }
}
