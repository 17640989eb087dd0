package dev.berth.workbench.soak;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** What makes a run fail. */
public final class Verdict {
  /**
   * By how much the resident set may grow in the second half of a phase, as far as the heap has the
   * size that it keeps: while it is taken for the first time all looks like a leak. The collector
   * and malloc give and take some tens of MiB on their own; in half an hour this is a leak of 3.6
   * kB a decision at 20 a second, 0.4 kB at 200.
   */
  static final double GROWTH_MIB = 64;

  /** Less says nothing of leaks. */
  static final double JUDGED_SECONDS = 120;

  /** Of its largest size; the collector gives single regions back and takes them again. */
  private static final double HEAP_TAKEN = 0.98;

  private Verdict() {}

  /** Why the run failed, one sentence each; empty when it passed. */
  public static List<String> failures(SoakResult run) {
    List<String> all = new ArrayList<>();
    if (!run.ended().isEmpty()) {
      all.add(run.ended());
    }
    long errors = run.phases().stream().mapToLong(SoakResult.PhaseResult::errors).sum();
    if (errors > 0) {
      all.add(errors + " decisions without a good answer, the first: " + run.firstError());
    }
    if (run.refused() > 0) {
      all.add(run.refused() + " batches of outcomes not taken: " + run.firstError());
    }
    if (!(run.peak() < SoakPlan.LIMIT_MIB)) {
      all.add(say("%.0f MiB resident, the limit is %d", run.peak(), SoakPlan.LIMIT_MIB));
    }
    if (run.steps() == 0) {
      all.add("nothing was learned: no gradient step was taken");
    }
    double restarts = run.samples().stream().mapToDouble(Sample::restarts).max().orElse(0);
    if (restarts > 0) {
      all.add(say("the learner failed and began again %.0f times", restarts));
    }
    for (int phase = 0; phase < run.phases().size(); phase++) {
      judge(settled(run, phase), phase + 1, all);
    }
    return all;
  }

  private static void judge(List<Sample> half, int phase, List<String> failures) {
    if (!judged(half)) {
      return;
    }
    double growth = growth(half);
    if (!(growth <= GROWTH_MIB)) {
      failures.add(
          say(
              "memory is not flat: %.0f MiB more in the second half of phase %d, at most %.0f",
              growth, phase, GROWTH_MIB));
    }
    DoubleSummaryStatistics steps =
        half.stream().mapToDouble(Sample::steps).filter(n -> n >= 0).summaryStatistics();
    if (!(steps.getMax() > steps.getMin())) {
      failures.add("no gradient step in the second half of phase " + phase);
    }
  }

  /** Whether this is long enough to tell. */
  static boolean judged(List<Sample> half) {
    return half.size() >= 3
        && half.get(half.size() - 1).seconds() - half.get(0).seconds() >= JUDGED_SECONDS;
  }

  /** The looks of a phase's second half from when the heap has the size that it keeps. */
  static List<Sample> settled(SoakResult run, int phase) {
    double size =
        run.samples().stream().mapToDouble(Sample::heapSize).filter(h -> h > 0).max().orElse(0);
    double since =
        run.samples().stream()
            .filter(s -> s.heapSize() >= HEAP_TAKEN * size)
            .mapToDouble(Sample::seconds)
            .min()
            .orElse(0);
    List<Sample> all = run.samples(phase);
    return all.subList(all.size() / 2, all.size()).stream()
        .filter(s -> s.seconds() >= since)
        .toList();
  }

  /** MiB, by the line through all looks rather than by the first and the last. */
  static double growth(List<Sample> half) {
    return perThousand(half)
        * (half.get(half.size() - 1).decisions() - half.get(0).decisions())
        / 1000;
  }

  /** Slope of the resident set by least squares, in MiB per 1000 decisions; NaN without any. */
  static double perThousand(List<Sample> half) {
    double x = half.stream().mapToDouble(Sample::decisions).average().orElse(Double.NaN);
    double y = half.stream().mapToDouble(Sample::rss).average().orElse(Double.NaN);
    double xy = 0;
    double xx = 0;
    for (Sample s : half) {
      xy += (s.decisions() - x) * (s.rss() - y);
      xx += (s.decisions() - x) * (s.decisions() - x);
    }
    return 1000 * xy / xx;
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
