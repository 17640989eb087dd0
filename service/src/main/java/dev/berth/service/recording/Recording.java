package dev.berth.service.recording;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.service.recording.RecordingReader.CutShortException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A recording in memory.
 *
 * @param events questions, outcomes, sizes and samples, in the order in which they happened
 * @param truth what nodes really did; empty when nobody added it
 * @param startedAt when the containers of pods began to run, by uid; empty likewise
 * @param lost entries that were dropped while it was made
 */
public record Recording(
    Entry.Start start, List<Entry> events, Truth truth, Map<String, Double> startedAt, long lost) {

  /**
   * @param partial take what is there of one that is cut short
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  public static Recording read(Path path, boolean partial) throws IOException {
    try (RecordingReader reader = RecordingReader.open(path)) {
      List<Entry> events = new ArrayList<>();
      Truth truth = new Truth();
      Map<String, Double> startedAt = new HashMap<>();
      long lost = 0;
      try {
        for (Entry e = reader.next(); e != null; e = reader.next()) {
          if (e.truth() != null) {
            truth.add(e.truth());
          } else if (e.started() != null) {
            startedAt.putIfAbsent(e.started().pod(), e.started().at());
          } else if (e.lost() != null) {
            lost += e.lost();
          } else {
            events.add(e);
          }
        }
      } catch (CutShortException e) {
        if (!partial) {
          throw e;
        }
      }
      return new Recording(reader.start(), events, truth, startedAt, lost);
    }
  }

  /** The same with other events. */
  Recording with(List<Entry> other) {
    return new Recording(start, other, truth, startedAt, lost);
  }

  /** The same with every sample of a node changed. */
  Recording samples(UnaryOperator<NodeSample> change) {
    List<Entry> changed = new ArrayList<>();
    for (Entry e : events) {
      Entry.Samples s = e.samples();
      changed.add(
          s == null
              ? e
              : Entry.of(new Entry.Samples(s.at(), s.samples().stream().map(change).toList())));
    }
    return with(changed);
  }

  /** When an event happened, seconds since the epoch. */
  static double at(Entry event) {
    if (event.question() != null) {
      return event.question().at();
    }
    if (event.outcomes() != null) {
      return event.outcomes().at();
    }
    if (event.sized() != null) {
      return event.sized().at();
    }
    if (event.podSamples() != null) {
      return event.podSamples().at();
    }
    return Objects.requireNonNull(event.samples()).at();
  }
}
