package dev.berth.workbench.soak;

import java.time.Duration;
import java.util.List;

/**
 * What a run does.
 *
 * @param patience an answer that takes longer from being sent is an error
 * @param javaOpts more options for the service's JVM, empty for none but those of its image
 */
public record SoakPlan(List<Phase> phases, Duration patience, String javaOpts) {
  /** Memory limit of the shipped manifests. */
  public static final int LIMIT_MIB = 1536;

  /** Given to the JVM in the place of a container's limit. */
  public static final String MAX_RAM = "-XX:MaxRAM=" + LIMIT_MIB + "m";

  /** What the service learns with where there is time for it: its defaults. */
  private static final Duration SETTLE = Duration.ofMinutes(1);

  private static final Duration WINDOW = Duration.ofMinutes(2);
  private static final int LOOKS_PER_PHASE = 12;
  private static final Duration LOOK = Duration.ofSeconds(10);

  /**
   * A steady rate for a while.
   *
   * @param candidates of every decision
   */
  public record Phase(int candidates, int perSecond, Duration lasts) {}

  /** Nodes of the cluster. */
  int nodes() {
    return phases.stream().mapToInt(Phase::candidates).max().orElseThrow();
  }

  private Duration shortest() {
    return phases.stream().map(Phase::lasts).min(Duration::compareTo).orElseThrow();
  }

  /** From a bind to its measured window: the default, or a sixth of the phase. */
  Duration settle() {
    return min(SETTLE, shortest().dividedBy(6));
  }

  /** The measured window: the default, or a third of the phase. */
  Duration window() {
    return min(WINDOW, shortest().dividedBy(3));
  }

  /** Measured decisions before the first gradient step: the default where there is time for it. */
  int learningStarts() {
    return settle().equals(SETTLE) ? 200 : 20;
  }

  /** Between two looks at the service. */
  Duration look() {
    return min(LOOK, shortest().dividedBy(LOOKS_PER_PHASE));
  }

  /** Mean time that a placed pod runs, so short that their number is steady for half a phase. */
  Duration podRuns() {
    return min(WINDOW, shortest().dividedBy(4));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
