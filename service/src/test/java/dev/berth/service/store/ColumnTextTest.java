package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTextTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource({
    "0, 0",
    "-0.00000004, 0",
    "3, 3",
    "10, 10",
    "1.25, 1.2500000",
    "0.00000005, 0.0000001",
    "-0.0301, -0.0301000",
    "-12.34567898, -12.3456790",
    "999999999.5, 999999999.5000000",
    "1e9, 1.0E9",
    "-1e300, -1.0E300",
    "-Infinity, null",
    "NaN, null"
  })
  void numbersAreWrittenToTheirDecimals(double value, String written) {
    ColumnText text = new ColumnText(0);
    text.column("x");
    text.number(value);
    text.end();
    assertThat(text.json()).isEqualTo("{\"x\":[" + written + "]}");
  }

  @Test
  void anyNumbersReadBackAsTheyWere_seed1() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long[] whole = random.longs(500).map(x -> x >> (int) (x & 63)).toArray();
    whole[0] = Long.MIN_VALUE;
    whole[1] = Long.MAX_VALUE;
    whole[2] = 1_000_000_000;
    double[] fine =
        random.doubles(500).map(x -> (x - .5) * Math.pow(10, 8 * random.nextDouble())).toArray();
    ColumnText text = new ColumnText(10);
    text.column("whole");
    for (long x : whole) {
      text.number(x);
    }
    text.end();
    text.column("fine");
    for (double x : fine) {
      text.number(x);
    }
    text.end();

    JsonNode read = JSON.readTree(text.json());

    for (int i = 0; i < 500; i++) {
      assertThat(read.path("whole").path(i).longValue()).isEqualTo(whole[i]);
      assertThat(read.path("fine").path(i).doubleValue())
          .isCloseTo(fine[i], within(0.5e-7 + Math.ulp(fine[i])));
    }
  }

  @Test
  void columnsMayBeEmptyHoldListsAndNamesThatNeedQuoting() throws IOException {
    ColumnText text = new ColumnText(0);
    text.column("none");
    text.end();
    text.column("node");
    text.string("a\"b\\c\u0001ü");
    text.string("");
    text.end();
    text.column("lists");
    text.list();
    text.number(1);
    text.number(2);
    text.end();
    text.nothing();
    text.list();
    text.end();
    text.end();

    JsonNode read = JSON.readTree(text.json());

    assertThat(read.path("none")).isEmpty();
    assertThat(read.path("node").path(0).asText()).isEqualTo("a\"b\\c\u0001ü");
    assertThat(read.path("node").path(1).asText()).isEmpty();
    assertThat(read.path("lists")).hasToString("[[1,2],null,[]]");
  }

  @Test
  void anObjectWithoutColumnsIsOne() {
    assertThat(new ColumnText(0).json()).isEqualTo("{}");
  }
}
