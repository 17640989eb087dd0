package dev.berth.workbench.live;

import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.Rhythm;

/**
 * When what happens in a turn, in seconds since it began. Both turns and their twin on the virtual
 * clock keep to it, however long pods take to be bound.
 *
 * @param early Deployments that are released before the pause
 * @param rest second at which the others begin
 * @param end second at which the turn ends
 * @param measured length of the stretch before the end that is measured
 */
record Timetable(int early, double rest, double end, double measured) {
  /**
   * The usage model's clock reads this when a turn begins: before, preparations take longer in one
   * turn than in the other. Seconds; a multiple of the virtual clock's tick.
   */
  static final double BEGIN = 20;

  /** The last pods must be warm, and their warmth in the rate's window, before a turn ends. */
  private static final double MIN_TAIL = 30;

  static Timetable of(Scenario scenario, int deployments) {
    Rhythm rhythm = scenario.workload().rhythm();
    int early = rhythm.early(deployments);
    double rest = rhythm.restBegins(deployments);
    double last = rest + (deployments - early) * rhythm.everySeconds();
    return new Timetable(
        early,
        rest,
        Math.max(scenario.durationSeconds(), last + MIN_TAIL),
        scenario.durationSeconds() - scenario.warmupSeconds());
  }
}
