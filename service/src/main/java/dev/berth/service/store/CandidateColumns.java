package dev.berth.service.store;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.Forecast;
import dev.berth.service.scoring.DecisionRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The candidates of a decision as JSON columns, best first, readable with any SQLite shell. */
final class CandidateColumns {
  private static final int HIGHEST = 100;

  /** Of a candidate's part of the text, about. */
  private static final int CHARACTERS = 200;

  private CandidateColumns() {}

  static String json(DecisionRecord decision, int kept) {
    int[] scores = decision.reply().scores();
    int[] best = best(scores, kept);
    Candidates c = decision.request().candidates();
    ColumnText out = new ColumnText(CHARACTERS * best.length);
    out.column("node");
    for (int i : best) {
      out.string(c.names()[i]);
    }
    out.end();
    out.column("score");
    for (int i : best) {
      out.number(scores[i]);
    }
    out.end();
    doubles(out, "base", decision.base(), best);
    doubles(out, "residual", decision.residual(), best);
    if (decision.forecast() != null) {
      forecast(out, decision.forecast(), c, best);
    }
    out.column("sampleAgeSeconds");
    for (int i : best) {
      out.number(decision.sampleAge()[i]);
    }
    out.end();
    longs(out, "cpuMilli", c.cpuMilli(), best);
    longs(out, "memoryBytes", c.memoryBytes(), best);
    longs(out, "cpuRequestedMilli", c.cpuRequestedMilli(), best);
    longs(out, "memoryRequestedBytes", c.memoryRequestedBytes(), best);
    out.column("podCount");
    for (int i : best) {
      out.number(c.podCount()[i]);
    }
    out.end();
    longs(out, "pendingCpuMilli", c.pendingCpuMilli(), best);
    return out.json();
  }

  /**
   * Positions of the highest scores, equal ones in their order. Sorted by counting, for there are
   * few different scores.
   *
   * @param scores 0..100
   */
  static int[] best(int[] scores, int kept) {
    int[] next = new int[HIGHEST + 2]; // where the next candidate with a score goes, from the best
    for (int score : scores) {
      next[HIGHEST - score + 1]++;
    }
    for (int i = 1; i < next.length; i++) {
      next[i] += next[i - 1];
    }
    int[] best = new int[Math.min(kept, scores.length)];
    for (int i = 0; i < scores.length; i++) {
      int at = next[HIGHEST - scores[i]]++;
      if (at < best.length) {
        best[at] = i;
      }
    }
    return best;
  }

  /** What the base reckoned with: enough to say later what its score was made of. */
  private static void forecast(ColumnText out, Forecast f, Candidates c, int[] rows) {
    int[] sound = c.sound();
    int[] at =
        sound.length == c.size()
            ? rows
            : Arrays.stream(rows).map(i -> Arrays.binarySearch(sound, i)).toArray();
    out.column("expected");
    for (int i : at) {
      if (i < 0) {
        out.nothing();
        continue;
      }
      out.list();
      for (double[] horizon : f.before()) {
        out.number(horizon[i]);
      }
      out.end();
    }
    out.end();
    longs(out, "powerMilli", f.power(), at);
    doubles(out, "ownerFraction", f.ownerRequestFraction(), at);
    doubles(out, "memoryRisk", f.memoryRisk(), at);
    doubles(out, "memoryRoom", f.memoryRoom(), at);
  }

  /** What nobody knows becomes null. */
  private static void doubles(ColumnText out, String name, double @Nullable [] column, int[] rows) {
    if (column == null) {
      return;
    }
    out.column(name);
    for (int i : rows) {
      if (i >= 0) {
        out.number(column[i]);
      } else {
        out.nothing();
      }
    }
    out.end();
  }

  private static void longs(ColumnText out, String name, long[] column, int[] rows) {
    out.column(name);
    for (int i : rows) {
      if (i >= 0) {
        out.number(column[i]);
      } else {
        out.nothing();
      }
    }
    out.end();
  }
}
