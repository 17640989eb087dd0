package dev.berth.service.operator;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who changed the mode and when, newest first, kept in the ConfigMap itself. Whoever may write that
 * could write anything here: the proof is the audit log of the API server.
 */
public final class ModeLog {
  static final String BY = "changed-by";
  static final String AT = "changed-at";
  static final String LOG = "log";
  private static final int MAX_LINES = 100;
  private static final int MAX_LENGTH = 500;

  private ModeLog() {}

  /** Adds to {@code data} who wrote it and when, and the lines of {@code before}. */
  static void sign(
      Map<String, String> data, Map<String, String> before, String by, String at, String what) {
    data.put(BY, by);
    data.put(AT, at);
    String line = (at + " " + by + ": " + what).replace('\n', ' ');
    data.put(
        LOG,
        Stream.concat(Stream.of(line), lines(before).stream())
            .limit(MAX_LINES)
            .map(l -> l.length() > MAX_LENGTH ? l.substring(0, MAX_LENGTH) : l)
            .collect(Collectors.joining("\n")));
  }

  /** One line per change. */
  public static List<String> lines(Map<String, String> data) {
    return data.getOrDefault(LOG, "").lines().filter(l -> !l.isBlank()).toList();
  }
}
