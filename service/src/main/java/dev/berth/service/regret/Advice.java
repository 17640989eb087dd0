package dev.berth.service.regret;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What to do next, and why.
 *
 * @param action such as "go to canary"
 * @param because a sentence with the figures behind it
 */
public record Advice(String action, String because) {
  /** Fewer measured pods say nothing, however sure they look. */
  private static final long MIN_PODS = 100;

  /** A larger share of pods without an opinion is a fault to mend before anything is judged. */
  private static final double MAX_WITHOUT_OPINION = 0.2;

  private static final String WATCH = "stay in shadow";

  /**
   * @param days that the figures are of
   */
  static Advice of(Figures others, Figures berth, double days) {
    boolean watching = berth.pods() == 0;
    String stay = watching ? WATCH : "change nothing";
    long pods = others.pods() + berth.pods();
    if (pods == 0) {
      return new Advice(stay, "no pod was placed that Berth was asked about: see berth doctor");
    }
    if (others.noOpinion() > MAX_WITHOUT_OPINION * pods) {
      return new Advice(
          stay,
          "Berth had no opinion on %d of %d pods: see berth doctor"
              .formatted(others.noOpinion(), pods));
    }
    Mean m = others.measured();
    if (m == null || m.interval() == null || m.pods() < MIN_PODS) {
      return new Advice(stay, tooLittle(m, watching));
    }
    double low = m.interval().get(0);
    double high = m.interval().get(1);
    if (low > 0) {
      return new Advice(
          watching ? "go to canary" : "widen the canary",
          "by what was measured the nodes that pods got cost more than Berth's, " + in(m));
    }
    if (high < 0) {
      return new Advice(
          watching ? WATCH : "go back to shadow",
          "by what was measured Berth's nodes would have cost more, " + in(m));
    }
    return new Advice(
        stay, "what was measured is not clear, " + in(m) + more(m.mean(), high, days));
  }

  private static String tooLittle(@Nullable Mean m, boolean watching) {
    String known =
        m == null || m.pods() == 0
            ? "no pod that the other plugins placed was measured five minutes later"
            : m.pods() < MIN_PODS
                ? "only %d pods that the other plugins placed were measured five minutes later, it takes %d"
                    .formatted(m.pods(), MIN_PODS)
                : "the pods that were measured are of too few owners or hours, it takes six of"
                    + " both";
    return watching ? "too little data: " + known : known + ", so there is nothing to compare with";
  }

  private static String in(Mean m) {
    return "%s thousandths a pod".formatted(ReportText.interval(m.times(1000), "%+.2f"));
  }

  /** How long it takes at this rate until the interval leaves zero, were the mean to stay. */
  private static String more(double mean, double high, double days) {
    double times = Math.pow((high - mean) / mean, 2) - 1;
    return mean <= 0 || times * days > 365
        ? ""
        : String.format(
            Locale.ROOT, "; were the mean to stay, some %.0f more days", Math.ceil(times * days));
  }
}
