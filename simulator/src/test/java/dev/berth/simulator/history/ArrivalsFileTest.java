package dev.berth.simulator.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.workload.Arrivals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalsFileTest {
  private static final String GOOD =
      """
      at,owner,cpu,memory,lives
      0,shop,0.5,1024,3600 7200 inf
      60,mail,2,,300
      """;

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("arrivals.csv"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"again.csv", "again.csv.gz"})
  void what_is_written_reads_the_same(String name) throws IOException {
    Arrivals arrivals = ArrivalsFile.read(write(GOOD));
    Arrivals.Batch first = arrivals.batches().get(0);
    assertThat(first.cpuMilli()).isEqualTo(500);
    assertThat(first.memoryBytes()).isEqualTo(1L << 30);
    assertThat(first.lives()).containsExactly(3600, 7200, Float.POSITIVE_INFINITY);
    assertThat(arrivals.batches().get(1).memoryBytes()).isZero();
    Path again = folder.resolve(name);
    ArrivalsFile.write(again, arrivals);
    assertThat(ArrivalsFile.read(again)).hasToString(arrivals.toString());
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "60,mail  | 60,      | arrivals.csv:3: owner is empty: every row needs one",
        "60,mail,2| 60,mail,0| arrivals.csv:3: pods that ask for no CPU: write cores above 0",
        ",,300    | ,,-300   | arrivals.csv:3: a life of -300.0 s: write seconds above 0, or inf",
        ",,300    | ,,never  | arrivals.csv:3: lives: 'never', expected seconds or inf",
        "60,mail  | -60,mail | arrivals.csv:3: at is before the row above: sort the rows by time",
        "60,mail  | ,mail    | arrivals.csv:3: at is empty: every row needs one",
      })
  void a_mistake_is_named_with_file_line_and_fix(String right, String wrong, String message)
      throws IOException {
    assertThat(GOOD).contains(right);
    Path file = write(GOOD.replace(right, wrong));
    assertThatThrownBy(() -> ArrivalsFile.read(file))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }
}
