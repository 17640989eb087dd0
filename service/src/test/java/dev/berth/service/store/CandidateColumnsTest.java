package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which candidates of a decision are kept, and how. */
class CandidateColumnsTest {

  @Test
  void theBestAreKeptAndEqualOnesInTheirOrder_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n : new int[] {0, 1, 5, 99, 100, 101, 5000}) {
      int[] scores = random.ints(n, 0, 101).toArray();
      int[] sorted =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingInt((Integer i) -> -scores[i]).thenComparing(i -> i))
              .limit(100)
              .mapToInt(Integer::intValue)
              .toArray();
      assertThat(CandidateColumns.best(scores, 100)).as("%d candidates", n).isEqualTo(sorted);
    }
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource({
    "0, 0",
    "-0.00000004, 0",
    "3, 3",
    "1.25, 1.25",
    "0.00000005, 0.0000001",
    "-0.0301, -0.0301",
    "-12.34567898, -12.3456790",
    "999999999.5, 999999999.5",
    "1e9, null",
    "-Infinity, null",
    "NaN, null"
  })
  void coresAndAgesAreWrittenToSevenDecimals(double value, String written) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      CandidateColumns.rounded(out, value, new char[20]);
    }
    if (written.equals("null")) {
      assertThat(text.toString()).isEqualTo(written);
    } else {
      assertThat(new BigDecimal(text.toString())).isEqualByComparingTo(written);
    }
  }
}
