package dev.berth.service.recording;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import dev.berth.service.scoring.OutcomeEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A recording with something mended or taken away: what the error of the forecast loses or gains by
 * it is that thing's share.
 *
 * @param name for a table
 * @param events changes what is fed
 * @param usage changes how usage is estimated
 */
record Variant(String name, UnaryOperator<Recording> events, UnaryOperator<UsageConfig> usage) {

  static final Variant AS_RECORDED =
      new Variant("as recorded", UnaryOperator.identity(), UnaryOperator.identity());

  /** Each mends one thing more than the one before; what is left at the end is usage itself. */
  static List<Variant> mends() {
    UnaryOperator<Recording> exact = Variant::exactSamples;
    UnaryOperator<Recording> seen = r -> samplesAtOnce(exactSamples(r));
    UnaryOperator<Recording> known = r -> outcomesAtOnce(seen.apply(r));
    UnaryOperator<Recording> begun = r -> podsFromTheirStart(known.apply(r));
    return List.of(
        AS_RECORDED,
        mend("+ samples that show just what was used", exact),
        mend("+ samples seen at once", seen),
        mend("+ binds and ends known at once", known),
        mend("+ pods counted from when they run", begun));
  }

  private static Variant mend(String name, UnaryOperator<Recording> events) {
    return new Variant(name, events, UnaryOperator.identity());
  }

  /** Each is as recorded but for one thing. */
  static List<Variant> alternatives() {
    return List.of(
        mend("one sample in 20 s", r -> thinned(r, 20)),
        mend("windows of 10 s", r -> merged(r, 10)),
        mend("windows of 15 s", r -> merged(r, 15)),
        mend("windows of 20 s", r -> merged(r, 20)),
        mend("windows of 30 s", r -> merged(r, 30)),
        without("no samples", Part.SAMPLES),
        without("no samples of pods", Part.POD_SAMPLES),
        without("no bursts", Part.EXCESS),
        without("no joint covariance", Part.JOINT),
        without("no pods apart from their owners", Part.PER_POD),
        without("one ratio for all owners", Part.OWNER_RATIOS));
  }

  private static Variant without(String name, Part part) {
    return new Variant(name, UnaryOperator.identity(), usage -> usage.without(part));
  }

  private static Recording exactSamples(Recording r) {
    return r.samples(
        s -> {
          double cores = r.truth().mean(s.node(), s.windowStart(), s.windowEnd());
          boolean known = !Double.isNaN(cores) && !Double.isNaN(s.cpuCores());
          return known ? withCpu(s, cores) : s;
        });
  }

  private static NodeSample withCpu(NodeSample s, double cores) {
    return new NodeSample(
        s.node(),
        s.windowStart(),
        s.windowEnd(),
        cores,
        s.memoryBytes(),
        s.connections(),
        s.latencyMillis());
  }

  private static Recording samplesAtOnce(Recording r) {
    List<Entry> events = new ArrayList<>();
    for (Entry e : r.events()) {
      if (e.podSamples() != null) {
        for (PodSample s : e.podSamples().samples()) {
          double at = Math.min(e.podSamples().at(), s.windowEnd());
          events.add(Entry.of(new Entry.PodSamples(at, List.of(s))));
        }
      } else if (e.samples() == null) {
        events.add(e);
      } else {
        for (NodeSample s : e.samples().samples()) {
          double at = Math.min(e.samples().at(), s.windowEnd());
          events.add(Entry.of(new Entry.Samples(at, List.of(s))));
        }
      }
    }
    return inOrder(r, events);
  }

  /** But for full lists, whose begin and end mean something. */
  private static Recording outcomesAtOnce(Recording r) {
    List<Entry> events = new ArrayList<>();
    for (Entry e : r.events()) {
      if (e.outcomes() == null
          || e.outcomes().events().stream().anyMatch(o -> o.type().marksList())) {
        events.add(e);
      } else {
        for (OutcomeEvent o : e.outcomes().events()) {
          events.add(Entry.of(new Entry.Outcomes(o.at(), List.of(o))));
        }
      }
    }
    return inOrder(r, events);
  }

  private static Recording podsFromTheirStart(Recording r) {
    List<Entry> events = new ArrayList<>();
    for (Entry e : r.events()) {
      if (e.outcomes() == null) {
        events.add(e);
      } else {
        List<OutcomeEvent> moved =
            e.outcomes().events().stream().map(o -> fromItsStart(r, o)).toList();
        events.add(Entry.of(new Entry.Outcomes(e.outcomes().at(), moved)));
      }
    }
    return r.with(events);
  }

  private static OutcomeEvent fromItsStart(Recording r, OutcomeEvent o) {
    Double started = r.startedAt().get(o.uid());
    return started == null || !o.type().places()
        ? o
        : new OutcomeEvent(o.type(), started, o.decision(), o.uid(), o.node(), o.pod());
  }

  /** Leaves out samples whose window ends so soon after the node's last one that stayed. */
  private static Recording thinned(Recording r, double seconds) {
    Map<String, Double> kept = new HashMap<>();
    List<Entry> events = new ArrayList<>();
    for (Entry e : r.events()) {
      if (e.samples() == null) {
        events.add(e);
      } else {
        List<NodeSample> some = new ArrayList<>();
        for (NodeSample s : e.samples().samples()) {
          Double last = kept.get(s.node());
          if (last == null || s.windowEnd() >= last + seconds - 0.1) {
            kept.put(s.node(), s.windowEnd());
            some.add(s);
          }
        }
        events.add(Entry.of(new Entry.Samples(e.samples().at(), some)));
      }
    }
    return r.with(events);
  }

  /** Puts a node's adjacent windows together until they are so long. */
  private static Recording merged(Recording r, double seconds) {
    Map<String, NodeSample> open = new HashMap<>();
    List<Entry> events = new ArrayList<>();
    for (Entry e : r.events()) {
      if (e.samples() == null) {
        events.add(e);
      } else {
        List<NodeSample> whole = new ArrayList<>();
        for (NodeSample s : e.samples().samples()) {
          NodeSample joined = join(open.remove(s.node()), s);
          if (joined.windowEnd() - joined.windowStart() >= seconds - 0.5) {
            whole.add(joined);
          } else {
            open.put(s.node(), joined);
          }
        }
        events.add(Entry.of(new Entry.Samples(e.samples().at(), whole)));
      }
    }
    return r.with(events);
  }

  private static NodeSample join(@Nullable NodeSample before, NodeSample s) {
    if (before == null || Math.abs(before.windowEnd() - s.windowStart()) > 0.1) {
      return s;
    }
    double first = before.windowEnd() - before.windowStart();
    double second = s.windowEnd() - s.windowStart();
    double mean = (before.cpuCores() * first + s.cpuCores() * second) / (first + second);
    return new NodeSample(
        s.node(),
        before.windowStart(),
        s.windowEnd(),
        mean,
        s.memoryBytes(),
        s.connections(),
        s.latencyMillis());
  }

  private static Recording inOrder(Recording r, List<Entry> events) {
    events.sort(Comparator.comparingDouble(Recording::at)); // stable
    return r.with(events);
  }
}
