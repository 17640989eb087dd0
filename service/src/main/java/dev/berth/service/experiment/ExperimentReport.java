package dev.berth.service.experiment;

import dev.berth.policy.evidence.Slots.Arm;
import dev.berth.policy.evidence.Switchback;
import dev.berth.policy.evidence.SwitchbackMeasure;
import dev.berth.policy.evidence.SwitchbackVerdict;
import dev.berth.policy.text.Units;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What an experiment says, for people. */
public final class ExperimentReport {
  private static final double DAY = 86_400;

  private ExperimentReport() {}

  /** One line: what runs, and who serves. */
  public static String status(Plan plan, Switchback measured, double now) {
    String what =
        "%s (A) against %s (B), slots of %s since %s, %d pairs measured: "
            .formatted(
                plan.a(),
                plan.b(),
                Units.show(Duration.ofMillis(Math.round(plan.slotSeconds() * 1000))),
                at(plan.start()),
                measured.pairs().size());
    Double stopped = plan.stopped();
    if (stopped != null) {
      return what + "stopped at " + at(stopped) + ", what is configured serves";
    }
    if (measured.harm()) {
      return what + "ended because B does harm; A serves until 'berth ab stop'";
    }
    if (measured.over()) {
      return what + "ended, for that is enough; A serves until 'berth ab stop'";
    }
    Arm arm = measured.serving(now);
    double until = plan.start() + (plan.slots().slot(now) + 1) * plan.slotSeconds();
    return what + arm + " (" + plan.name(arm) + ") serves until " + at(until);
  }

  /** A line for each measure, and what to make of them. */
  public static List<String> lines(Plan plan, Switchback measured) {
    List<String> lines = new ArrayList<>();
    List<SwitchbackVerdict> verdicts = measured.verdicts();
    for (SwitchbackMeasure measure : SwitchbackMeasure.values()) {
      SwitchbackVerdict verdict = verdicts.get(measure.ordinal());
      lines.add(
          "%-20s %s%s"
              .formatted(
                  measure.words(),
                  verdict.words(),
                  inTime(verdict.needed() * 2 * plan.slotSeconds())));
    }
    lines.add("The intervals hold together, at 95 %, however often you look.");
    return lines;
  }

  /** How long until the smallest difference worth seeing is seen; empty while unknown. */
  private static String inTime(double seconds) {
    if (Double.isNaN(seconds)) {
      return "";
    }
    String when =
        seconds > 3_650 * DAY
            ? "in no ten years"
            : String.format(Locale.ROOT, "after %.1f days", seconds / DAY);
    return "; a difference of 5 % would be seen " + when;
  }

  private static String at(double seconds) {
    return Instant.ofEpochSecond((long) seconds).toString();
  }
}
