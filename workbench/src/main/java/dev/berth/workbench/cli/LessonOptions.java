package dev.berth.workbench.cli;

import dev.berth.policy.heuristic.Policies;
import dev.berth.simulator.learning.Lessons;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
      split = ",",
      paramLabel = "P|FILE",
      description =
          "Fill the replay buffer with what came of a policy's placements first: a policy that"
              + " plays, or records of 'berth simulate --record'.")
  private List<String> prefill = List.of();

  @Option(
      names = "--prefill-episodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Episodes of a policy that plays. Default: ${DEFAULT-VALUE}.")
  private int watched;

  /** Throws IllegalArgumentException for a policy that does not exist. */
  Lessons lessons() {
    return new Lessons(
        known(warmStart),
        warmStart == null ? 0 : imitated,
        played().isEmpty() ? "" : known(played().get(0)),
        played().isEmpty() ? 0 : watched);
  }

  /** Recorded runs to learn from, in the order given. */
  List<Path> records() {
    return prefill.stream().map(Path::of).filter(Files::isRegularFile).toList();
  }

  private List<String> played() {
    List<String> policies = prefill.stream().filter(p -> !Files.isRegularFile(Path.of(p))).toList();
    if (policies.size() > 1) {
      throw new IllegalArgumentException(
          "--prefill takes one policy and any number of files; neither a file nor the only policy: "
              + String.join(", ", policies));
    }
    return policies;
  }

  private static String known(@Nullable String policy) {
    if (policy == null) {
      return "";
    }
    return Policies.byName(policy, new SplittableRandom(0)).name();
  }
}
