package dev.berth.service.recording;

import dev.berth.policy.Ties;
import dev.berth.policy.evidence.DoublyRobust;
import dev.berth.policy.evidence.DoublyRobust.Taken;
import dev.berth.policy.evidence.DoublyRobust.Wanted;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.evidence.Owners;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.service.scoring.Draw;
import dev.berth.service.scoring.Measured;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What another policy would have gained by what nodes used five minutes later: over the decisions
 * in which it puts another candidate first than what served, and that one could have been drawn to
 * come first. What was drawn is what came first; other score plugins may have sent the pod
 * elsewhere even so, and what it cost there is what it came to. The model of {@link DoublyRobust}
 * is the forecast of the same five minutes.
 *
 * <p>Each pod is judged alone, in the cluster that was made by what served: placement feeds back.
 */
final class OffPolicy {
  private static final double WINDOW_SECONDS = 3600;
  private static final double LEVEL = 0.025;
  private static final double PER_MILLE = 1000;

  /** A decision whose pod's node was not looked at yet; see {@link Forecast} for the columns. */
  private record Open(
      String owner,
      double at,
      double probability,
      int taken,
      int served,
      int wanted,
      int node,
      double[] usage,
      double[] added) {

    /** Minus what the pod costs on a node that uses so much without it. */
    double worth(int node, double without) {
      double mean = Arrays.stream(usage).average().orElse(Double.NaN);
      return -PlacementCost.increase(
          without - mean,
          without,
          added[node],
          usage.length,
          PlacementCost.spread(usage),
          PlacementCost.FORECAST_ERROR);
    }

    double expected(int node) {
      return worth(node, usage[node]);
    }
  }

  private final Map<String, Open> open = new HashMap<>();
  private final DoublyRobust robust = new DoublyRobust();
  private int counted;
  private int drawn;
  private int differ;
  private int possible;
  private int measured;

  /**
   * Takes in a decision whose scores counted.
   *
   * @param node where its pod went
   * @param served index of the candidate that what served ranks best
   * @param preferences of the other policy
   */
  void decided(
      Entry.Question question, String node, int served, double[] preferences, Replay replay) {
    counted++;
    Draw draw = question.draw();
    drawn += draw.near().length > 1 ? 1 : 0;
    int wanted = wanted(preferences, served);
    int at = Arrays.asList(Replay.sound(question).names()).indexOf(node);
    if (wanted == served || at < 0) {
      return;
    }
    differ++;
    if (Arrays.stream(draw.near()).noneMatch(i -> i == wanted)) {
      return;
    }
    possible++;
    Forecast forecast = replay.forecast(question);
    int h = Arrays.binarySearch(forecast.horizons(), Measured.AFTER_SECONDS);
    double[] added = new double[forecast.power().length];
    Arrays.setAll(added, i -> 1000 * forecast.podCores()[h] / forecast.power()[i]);
    open.put(
        question.request().decision(),
        new Open(
            question.request().pod().owner(),
            question.at(),
            draw.propensity(),
            draw.first() >= 0 ? draw.first() : served,
            served,
            wanted,
            at,
            forecast.before()[h],
            added));
  }

  /** The best; what served where that ties. */
  private static int wanted(double[] preferences, int served) {
    int best = served;
    for (int i = 0; i < preferences.length; i++) {
      best = preferences[i] > preferences[best] ? i : best;
    }
    return preferences[served] >= Ties.threshold(preferences[best]) ? served : best;
  }

  /** The node of a placed pod was looked at. */
  void measured(Measured m) {
    Open d = open.remove(m.decision());
    if (d == null) {
      return;
    }
    measured++;
    robust.add(
        Owners.hash(d.owner()),
        (long) Math.floor(d.at() / WINDOW_SECONDS),
        new Taken(d.probability(), d.worth(d.node(), m.without()), d.expected(d.taken())),
        new Wanted(d.taken() == d.wanted() ? 1 : 0, d.expected(d.wanted())),
        new Wanted(d.taken() == d.served() ? 1 : 0, d.expected(d.served())));
  }

  /** What is known, or why nothing is, for people. */
  String words() {
    String unknown = "what came of it cannot be estimated: ";
    if (counted == 0) {
      return unknown + "no score counted (shadow), so none had a part in where a pod went";
    }
    if (drawn == 0) {
      return unknown
          + "nothing was drawn in "
          + counted
          + " decisions, so of each pod one node alone had a chance; record with a scoring.policy"
          + " that learns and scoring.explore above 0";
    }
    if (differ == 0) {
      return "what came of it: in " + counted + " decisions it puts first what did come first";
    }
    String basis =
        String.format(
            Locale.ROOT,
            "of %d decisions in which it puts another first %d could have been drawn so, %d of them"
                + " were measured, worth %.1f of its own",
            differ,
            possible,
            measured,
            robust.effective());
    return robust
        .estimate()
        .filter(e -> Double.isFinite(e.upper(LEVEL)))
        .map(e -> said(e, basis))
        .orElseGet(
            () ->
                unknown
                    + basis
                    + String.format(
                        Locale.ROOT,
                        ", want %d over six hours or more: record longer%s, or raise"
                            + " scoring.explore",
                        DoublyRobust.MIN_EFFECTIVE,
                        times(robust.effective())));
  }

  private static String times(double effective) {
    return effective > 0 && effective < DoublyRobust.MIN_EFFECTIVE
        ? String.format(Locale.ROOT, " (%.0f times)", DoublyRobust.MIN_EFFECTIVE / effective)
        : "";
  }

  private static String said(Estimate e, String basis) {
    return String.join(
        System.lineSeparator(),
        List.of(
            String.format(
                Locale.ROOT,
                "by what was measured five minutes later it gains %+.3f a pod (95 %%: %+.3f to"
                    + " %+.3f, thousandths), doubly robust: %s",
                PER_MILLE * e.gain(),
                PER_MILLE * e.lower(LEVEL),
                PER_MILLE * e.upper(LEVEL),
                basis),
            "each pod alone, in the cluster that was made by what served: placement feeds back, so"
                + " 'berth ab' has the last word"));
  }
}
