package dev.berth.simulator.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.usage.History;
import dev.berth.simulator.usage.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryFileTest {
  private static final String GOOD =
      """
      owner,pod,from,step,steps,cpu,memory
      shop,shop-1,600,300,3,0.5 0.75 0.625,100 200 150
      shop,shop-2,600,300,2,1 2,
      shop,shop-1,1800,300,2,0.5 0.25,100 90
      """;

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("history.csv"), text);
  }

  @Test
  void rows_are_stretches_of_pods_in_cores_and_bytes() throws IOException {
    History history = HistoryFile.read(write(GOOD));
    assertThat(history.stepSeconds()).isEqualTo(300);
    assertThat(history.series()).hasSize(3);
    Series first = history.series().get(0);
    assertThat(first.owner()).isEqualTo("shop");
    assertThat(first.from()).isEqualTo(600);
    assertThat(first.to()).isEqualTo(1500);
    assertThat(first.cores()).containsExactly(0.5f, 0.75f, 0.625f);
    assertThat(first.bytes()).containsExactly(100 << 20, 200 << 20, 150 << 20);
    assertThat(history.series().get(1).bytes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"again.csv", "again.csv.gz"})
  void what_is_written_reads_the_same(String name) throws IOException {
    History history = HistoryFile.read(write(GOOD));
    Path again = folder.resolve(name);
    HistoryFile.write(again, history);
    assertThat(HistoryFile.read(again)).hasToString(history.toString());
    assertThat(HistoryFile.read(again).toString())
        .as("names what is in it")
        .isNotEqualTo(HistoryFile.read(write(GOOD.replace("0.625", "0.626"))).toString());
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "3,0.5 0.75 0.625     | 3,0.5 0.75          | history.csv:2: cpu holds 2 values, steps says"
            + " 3: the row is cut short",
        "100 200 150          | 100 200             | history.csv:2: memory holds 2 values, steps"
            + " says 3: the row is cut short",
        "0.5 0.75 0.625       | 0.5 - 0.625         | history.csv:2: cpu: value 2 is '-', expected"
            + " a number; end the row before a gap",
        "0.5 0.75 0.625       | 0.5 NaN 0.625       | history.csv:2: CPU has no value in step 2:"
            + " end the row before the gap",
        "0.5 0.75 0.625       | 0.5 -0.75 0.625     | history.csv:2: CPU is -0.75 in step 2: usage"
            + " is never negative; mend",
        "100 200 150          | 100 -200 150        | history.csv:2: memory is -2.097152E8 in step"
            + " 2",
        "0.5 0.75 0.625       | 0.5 0.5 0.5         | history.csv:2: CPU is 0.5 in all 3 steps:"
            + " nothing was recorded",
        "shop,shop-1,600      | ,shop-1,600         | history.csv:2: owner is empty: every row"
            + " needs one",
        "shop-2,600,300       | shop-2,600,60       | history.csv:3: a step of 60 s, those before"
            + " have 300 s: one history has one step",
        "shop-2,600,300       | shop-2,700,300      | history.csv:3: from 700 is no multiple of the"
            + " step of 300 s",
        "shop-1,1800          | shop-1,1200         | history.csv:4: pod shop-1 of shop is recorded"
            + " twice from 1200 on: keep one",
        "from,step            | from,steppe         | history.csv:1: the header lacks column step",
      })
  void a_mistake_is_named_with_file_line_and_fix(String right, String wrong, String message)
      throws IOException {
    assertThat(GOOD).contains(right);
    Path file = write(GOOD.replaceFirst(right, wrong));
    assertThatThrownBy(() -> HistoryFile.read(file))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_file_cut_short_is_named() throws IOException {
    Path whole = folder.resolve("whole.csv.gz");
    HistoryFile.write(whole, HistoryFile.read(write(GOOD)));
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = Files.write(folder.resolve("cut.csv.gz"), Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> HistoryFile.read(cut))
        .hasMessageContaining("cut.csv.gz: damaged gzip")
        .hasMessageContaining("copy it again");
    Path empty = write("owner,pod,from,step,steps,cpu,memory\n");
    assertThatThrownBy(() -> HistoryFile.read(empty)).hasMessageContaining("no series below");
  }
}
