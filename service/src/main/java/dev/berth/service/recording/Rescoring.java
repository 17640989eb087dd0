package dev.berth.service.recording;

import dev.berth.policy.Policy;
import dev.berth.policy.Ties;
import dev.berth.policy.cluster.Candidates;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recorded decisions ranked again by another policy, each in the state it was made in: which pods
 * would have gone elsewhere, and what the forecasts say of that. One pod at a time: what follows
 * meets the cluster as it really was, not as it would have become.
 */
public final class Rescoring {
  private static final int SHOWN = 20;

  /**
   * A pod that would have gone elsewhere.
   *
   * @param from the node it went to; the one ranked first where nobody said
   * @param gain of the base score from going to {@code to} instead; above zero evens out more
   */
  public record Moved(String pod, double second, String from, String to, double gain) {}

  private final String policy;
  private final List<Moved> moved = new ArrayList<>();
  private final OffPolicy came = new OffPolicy();
  private int decisions;

  private Rescoring(String policy) {
    this.policy = policy;
  }

  public static Rescoring of(Recording recording, Policy policy) {
    Rescoring all = new Rescoring(policy.name());
    Map<String, String> nodeOf = placed(recording);
    Replay replay = new Replay(recording.start(), recording.start().usage(), all.came::measured);
    for (Entry event : recording.events()) {
      double[] base = replay.feed(event);
      Entry.Question question = event.question();
      if (question != null && !question.whatIf() && base.length > 0) {
        double[] preferences = replay.rank(question, policy);
        double second = question.at() - recording.start().at();
        String node = nodeOf.get(question.request().decision());
        all.add(question, second, node, base, preferences);
        if (node != null && question.request().mode() != Mode.SHADOW) {
          all.came.decided(question, node, best(question.preferences()), preferences, replay);
        }
      }
    }
    return all;
  }

  private static Map<String, String> placed(Recording recording) {
    Map<String, String> nodeOf = new HashMap<>();
    for (Entry event : recording.events()) {
      if (event.outcomes() != null) {
        for (OutcomeEvent outcome : event.outcomes().events()) {
          if (outcome.decision() != null && outcome.node() != null && outcome.type().places()) {
            nodeOf.put(outcome.decision(), outcome.node());
          }
        }
      }
    }
    return nodeOf;
  }

  private void add(
      Entry.Question question,
      double second,
      @Nullable String node,
      double[] base,
      double[] preferences) {
    Candidates candidates = Replay.sound(question);
    int from = Arrays.asList(candidates.names()).indexOf(node);
    if (from < 0) {
      from = question.draw().first() >= 0 ? question.draw().first() : best(question.preferences());
    }
    decisions++;
    int to = best(preferences);
    if (preferences[from] < Ties.threshold(preferences[to])) {
      moved.add(
          new Moved(
              question.request().pod().namespace() + "/" + question.request().pod().name(),
              second,
              candidates.names()[from],
              candidates.names()[to],
              base[to] - base[from]));
    }
  }

  private static int best(double[] preferences) {
    int best = 0;
    for (int i = 1; i < preferences.length; i++) {
      best = preferences[i] > preferences[best] ? i : best;
    }
    return best;
  }

  /** Decisions that could be ranked again. */
  public int decisions() {
    return decisions;
  }

  /** Those whose pod would not have stayed. */
  public List<Moved> moved() {
    return moved;
  }

  /** Says it in a table, the greatest differences first. */
  public void print(PrintWriter out) {
    double sum = moved.stream().mapToDouble(Moved::gain).sum();
    out.printf(
        Locale.ROOT,
        "with %s %d of %d pods would have gone elsewhere; by the forecasts that is %+.3f a pod"
            + " (thousandths of the base score, above zero evens out more)%n",
        policy,
        moved.size(),
        decisions,
        decisions == 0 ? 0 : 1000 * sum / decisions);
    out.println(came.words());
    if (!moved.isEmpty()) {
      out.printf("%8s  %-48s %-20s %-20s %9s%n", "SECOND", "POD", "FROM", "TO", "GAIN");
    }
    moved.stream()
        .sorted(Comparator.comparingDouble((Moved m) -> -Math.abs(m.gain())))
        .limit(SHOWN)
        .forEach(
            m ->
                out.printf(
                    Locale.ROOT,
                    "%8.1f  %-48s %-20s %-20s %+9.3f%n",
                    m.second(),
                    m.pod(),
                    m.from(),
                    m.to(),
                    1000 * m.gain()));
    if (moved.size() > SHOWN) {
      out.printf("and %d more%n", moved.size() - SHOWN);
    }
    out.flush();
  }
}
