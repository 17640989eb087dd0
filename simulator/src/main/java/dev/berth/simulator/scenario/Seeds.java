package dev.berth.simulator.scenario;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** The seeds of an experiment, inclusive on both ends. */
public record Seeds(long first, long last) {
  /** Seeds of the leaderboard; training must draw from others. */
  public static final long FIRST_HELD_OUT = 9001;

  public static final Seeds DEFAULT = new Seeds(FIRST_HELD_OUT, FIRST_HELD_OUT + 9);

  private static final Pattern SPAN = Pattern.compile("(\\d{1,15})(?:-(\\d{1,15}))?");

  /** More runs than anybody waits for. */
  private static final long MAX_SEEDS = 100_000;

  public Seeds {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException(
          "seeds " + first + "-" + last + ": write the smaller one first");
    }
    if (last - first >= MAX_SEEDS) {
      throw new IllegalArgumentException(
          "seeds " + first + "-" + last + " are more than " + MAX_SEEDS + ": name fewer");
    }
  }

  /** {@code "10"} is ten seeds from 9001 on, {@code "9001-9010"} the same spelled out. */
  public static Seeds parse(String text) {
    Matcher m = SPAN.matcher(text.strip());
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "seeds '" + text + "': write a count (10) or a span (9001-9010)");
    }
    long a = Long.parseLong(m.group(1));
    if (m.group(2) != null) {
      return new Seeds(a, Long.parseLong(m.group(2)));
    }
    if (a < 1) {
      throw new IllegalArgumentException("seeds '" + text + "': need at least one");
    }
    if (a >= FIRST_HELD_OUT) {
      throw new IllegalArgumentException(
          "seeds '%s': a number alone is a count; for that one seed write %d-%d"
              .formatted(text, a, a));
    }
    return new Seeds(FIRST_HELD_OUT, FIRST_HELD_OUT + a - 1);
  }

  public List<Long> list() {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }
}
