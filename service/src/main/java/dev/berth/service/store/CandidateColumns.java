package dev.berth.service.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.Forecast;
import dev.berth.service.scoring.DecisionRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The candidates of a decision as JSON columns, best first, readable with any SQLite shell. */
final class CandidateColumns {
  /** Java 17's own way of writing numbers was a sixth of what a decision cost after its answer. */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build();

  private static final int HIGHEST = 100;

  /** Of a candidate's part of the text, about. */
  private static final int CHARACTERS = 160;

  private static final int DECIMALS = 7;
  private static final long SCALE = 10_000_000;
  private static final double LARGE = 1e9; // beyond it a long does not hold the decimals
  private static final int MOST_DIGITS = 20;

  private CandidateColumns() {}

  static String json(DecisionRecord decision, int kept) {
    int[] scores = decision.reply().scores();
    int[] best = best(scores, kept);
    Candidates c = decision.request().candidates();
    ByteArrayOutputStream text = new ByteArrayOutputStream(CHARACTERS * best.length);
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      out.writeArrayFieldStart("node");
      for (int i : best) {
        out.writeString(c.names()[i]);
      }
      out.writeEndArray();
      out.writeArrayFieldStart("score");
      for (int i : best) {
        out.writeNumber(scores[i]);
      }
      out.writeEndArray();
      doubles(out, "base", decision.base(), best);
      doubles(out, "residual", decision.residual(), best);
      if (decision.forecast() != null) {
        forecast(out, decision.forecast(), c, best);
      }
      ages(out, decision.sampleAge(), best);
      longs(out, "cpuMilli", c.cpuMilli(), best);
      longs(out, "memoryBytes", c.memoryBytes(), best);
      longs(out, "cpuRequestedMilli", c.cpuRequestedMilli(), best);
      longs(out, "memoryRequestedBytes", c.memoryRequestedBytes(), best);
      longs(out, "podCount", Arrays.stream(c.podCount()).asLongStream().toArray(), best);
      longs(out, "pendingCpuMilli", c.pendingCpuMilli(), best);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8);
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
  private static void forecast(JsonGenerator out, Forecast f, Candidates c, int[] rows)
      throws IOException {
    int[] sound = c.sound();
    int[] at =
        sound.length == c.size()
            ? rows
            : Arrays.stream(rows).map(i -> Arrays.binarySearch(sound, i)).toArray();
    out.writeArrayFieldStart("expected");
    char[] digits = new char[MOST_DIGITS];
    for (int i : at) {
      if (i < 0) {
        out.writeNull();
        continue;
      }
      out.writeStartArray();
      for (double[] horizon : f.before()) {
        rounded(out, horizon[i], digits);
      }
      out.writeEndArray();
    }
    out.writeEndArray();
    longs(out, "powerMilli", f.power(), at);
    doubles(out, "ownerFraction", f.ownerRequestFraction(), at);
    doubles(out, "memoryRisk", f.memoryRisk(), at);
    doubles(out, "memoryRoom", f.memoryRoom(), at);
  }

  /** To seven digits, as the columns are read by people; what nobody knows becomes null. */
  private static void doubles(
      JsonGenerator out, String name, double @Nullable [] column, int[] rows) throws IOException {
    if (column == null) {
      return;
    }
    out.writeArrayFieldStart(name);
    for (int i : rows) {
      if (i >= 0 && column[i] == 0) { // of most columns most, and quickly written
        out.writeNumber(0);
      } else if (i >= 0 && Double.isFinite(column[i])) {
        out.writeNumber((float) column[i]);
      } else {
        out.writeNull();
      }
    }
    out.writeEndArray();
  }

  private static void ages(JsonGenerator out, double[] seconds, int[] rows) throws IOException {
    out.writeArrayFieldStart("sampleAgeSeconds");
    char[] digits = new char[MOST_DIGITS];
    for (int i : rows) {
      rounded(out, seconds[i], digits);
    }
    out.writeEndArray();
  }

  /**
   * To seven decimals, as exact as a float of cores or seconds is, in a fraction of the time that
   * its shortest digits take.
   *
   * @param digits room to write them down, {@link #MOST_DIGITS}
   */
  static void rounded(JsonGenerator out, double value, char[] digits) throws IOException {
    if (!(Math.abs(value) < LARGE)) {
      out.writeNull();
      return;
    }
    long scaled = Math.round(value * SCALE);
    long whole = Math.abs(scaled) / SCALE;
    int fraction = (int) (Math.abs(scaled) - whole * SCALE); // ints divide in half of the time
    if (fraction == 0) {
      out.writeNumber(scaled / SCALE);
      return;
    }
    int at = digits.length;
    for (int i = 0; i < DECIMALS; i++) {
      digits[--at] = (char) ('0' + fraction % 10);
      fraction /= 10;
    }
    digits[--at] = '.';
    int rest = (int) whole;
    do {
      digits[--at] = (char) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    if (scaled < 0) {
      digits[--at] = '-';
    }
    out.writeNumber(digits, at, digits.length - at);
  }

  private static void longs(JsonGenerator out, String name, long[] column, int[] rows)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (int i : rows) {
      if (i >= 0) {
        out.writeNumber(column[i]);
      } else {
        out.writeNull();
      }
    }
    out.writeEndArray();
  }
}
