package dev.berth.workbench.importer;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.usage.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageImportTest {
  private static final int DAY = 288;
  private static final String HEADER =
      "Timestamp [ms];\tCPU cores;\tCPU capacity provisioned [MHZ];\tCPU usage [MHZ];\tCPU usage"
          + " [%];\tMemory capacity provisioned [KB];\tMemory usage [KB];\tDisk read throughput"
          + " [KB/s]";

  @TempDir private Path folder;

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(joining("\n", "", "\n"));
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private UsageImport.Result read(String format, boolean skipDamaged) throws IOException {
    var trace = new UsageImport(format, 300, 2, 1L << 30, skipDamaged);
    return trace.read(trace.files(folder), "trace", done -> {});
  }

  private List<Series> series(String format) throws IOException {
    return read(format, false).history().series();
  }

  @Test
  void planetlab_a_file_is_a_virtual_machine_and_its_slice_the_owner() throws IOException {
    write("20110303/host1_site_org_uw_oneswarm", lines(DAY, i -> "" + i % 50));
    write("20110304/host1_site_org_ uw_oneswarm", lines(DAY, i -> "" + i % 40)); // as published
    write("20110304/host2_site_org_uw_oneswarm", lines(DAY, i -> "" + i % 30));
    write("README.md", "no trace");
    List<Series> series = series("planetlab");
    assertThat(series).extracting(Series::owner).containsOnly("uw_oneswarm");
    assertThat(series).extracting(Series::pod).containsExactly("host1_site_org", "host2_site_org");
    Series two = series.get(0);
    assertThat(two.cores()).as("two days on end are one series").hasSize(2 * DAY);
    assertThat(two.from()).isEqualTo(1_299_110_400); // 2011-03-03
    assertThat(two.cores()[30]).as("30 %% of two cores").isCloseTo(0.6f, within(1e-6f));
    assertThat(two.bytes()).isEmpty();
  }

  @Test
  void google_a_job_is_the_owner_and_all_its_pods_do_as_the_aggregate() throws IOException {
    write("jobs/vm_77_1", lines(DAY, i -> i % 50 + ".5 25"));
    write("jobs/vm_77_3", lines(DAY, i -> i % 50 + " 25.0"));
    List<Series> series = series("google2011");
    assertThat(series).hasSize(2).allMatch(Series::aggregate);
    assertThat(series).extracting(Series::owner).containsOnly("77");
    assertThat(series).extracting(Series::from).containsExactly(86_400.0, 259_200.0);
    assertThat(series.get(0).cores()[1]).isCloseTo(0.03f, within(1e-6f));
    assertThat(series.get(0).bytes()[0]).isEqualTo(1 << 28);
  }

  private static String row(double at, double cpu) {
    return at + ";\t4;\t10400.0;\t0.0;\t" + cpu + ";\t2097152.0;\t1048576.0;\t0.0";
  }

  @Test
  void bitbrains_machines_of_one_size_are_an_owner_and_rows_are_put_on_the_grid()
      throws IOException {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (int i = 0; i < 40; i++) {
      if (i != 20 && i != 21) { // ten minutes are missing
        text.append(row(1_372_629_900 + 300 * i + i % 3, i)).append('\n');
      }
      if (i == 5) {
        text.append(row(1_372_629_900 + 300 * i + 3, 15)).append('\n'); // a second row in a step
      }
    }
    write("rnd/1.csv", text.toString());
    UsageImport.Result result = read("bitbrains", false);
    Series s = result.history().series().get(0);
    assertThat(s.owner()).isEqualTo("4-cores-2GiB");
    assertThat(s.pod()).isEqualTo("1");
    assertThat(s.cores()).hasSize(40);
    assertThat(s.cores()[1]).as("1 %% of four cores").isCloseTo(0.04f, within(1e-6f));
    assertThat(s.cores()[5]).as("mean of 5 and 15 %%").isCloseTo(0.4f, within(1e-6f));
    assertThat(s.cores()[20]).as("on the line from 19 to 22 %%").isCloseTo(0.8f, within(1e-6f));
    assertThat(result.filledSteps()).isEqualTo(2);
    assertThat(s.bytes()[0]).isEqualTo(1 << 30);
  }

  @Test
  void a_long_gap_ends_a_series_and_another_begins_behind_it() throws IOException {
    String text =
        HEADER + "\n" + lines(30, i -> row(1_372_629_900 + 300 * (i < 15 ? i : i + 20), i));
    write("1.csv", text);
    List<Series> series = series("bitbrains");
    assertThat(series).extracting(s -> s.cores().length).containsExactly(15, 15);
    assertThat(series.get(1).from() - series.get(0).from()).isEqualTo(300 * 35);
  }

  @Test
  void pods_whose_cpu_never_moves_are_left_out_and_named() throws IOException {
    write("20110303/host1_uw_oneswarm", lines(DAY, i -> "3"));
    write("20110303/host2_uw_oneswarm", lines(DAY, i -> "" + i % 7));
    UsageImport.Result result = read("planetlab", false);
    assertThat(result.history().series()).extracting(Series::pod).containsExactly("host2");
    assertThat(result.constant()).containsExactly("uw_oneswarm host1");
  }

  @Test
  void what_moves_by_less_than_is_written_never_moves() throws IOException {
    write("20110303/host1_uw_oneswarm", lines(DAY, i -> "0.000" + i % 7));
    write("20110303/host2_uw_oneswarm", lines(DAY, i -> "" + i % 7));
    assertThat(read("planetlab", false).constant()).containsExactly("uw_oneswarm host1");
  }

  @Test
  void a_link_to_a_folder_is_followed_and_a_mark_of_the_byte_order_is_no_value()
      throws IOException {
    write("real/20110303/host1_uw_oneswarm", "\uFEFF" + lines(DAY, i -> "" + i % 7));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    var trace = new UsageImport("planetlab", 300, 2, 1L << 30, false);
    assertThat(trace.read(trace.files(link), "trace", done -> {}).history().series()).hasSize(1);
  }

  @Test
  void a_time_that_is_years_away_is_named() throws IOException {
    String rows = lines(30, i -> row(i == 29 ? 9e9 : 1_372_629_900 + 300.0 * i, i));
    write("1.csv", HEADER + "\n" + rows);
    assertThatThrownBy(() -> series("bitbrains"))
        .hasMessageContaining("1.csv:31: more than a year after the row before");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "planetlab | 20110303/h_a_b | 100 | 7    | h_a_b:100: cut short after 100 lines, a day of"
            + " 300 s steps has 288: copy it again, or say --step",
        "planetlab | 20110303/h_a_b | 1440 | 7   | h_a_b:289: 1440 lines, a day of 300 s steps has"
            + " 288: say --step",
        "planetlab | 20110303/h_a_b | 288 | -7   | h_a_b:3: CPU is -7: it is never negative",
        "planetlab | 20110303/h_a_b | 288 | 1e39 | h_a_b:3: CPU is 1e39: it is never so large",
        "planetlab | 20110303/h_a_b | 288 | 5d   | h_a_b:3: CPU is '5d', expected a number",
        "planetlab | 20110303/h_a_b | 288 | x    | h_a_b:3: CPU is 'x', expected a number",
        "planetlab | 20110303/h_a_b | 288 | ''   | h_a_b:3: a gap: no value for this step",
        "planetlab | 20110303/hab   | 288 | 7    | hab: a pod without owner",
        "planetlab | 20113303/h_a_b | 288 | 7    | the folder 20113303 is no day",
        "google2011 | vm_1_1        | 288 | 7    | vm_1_1:3: 1 columns, expected 2",
        "google2011 | vm_1          | 288 | 7    | vm_1: a pod without owner",
        "bitbrains | 1.csv          | 9   | 7    | 1.csv:1: no column 'Timestamp [ms]'",
      })
  void damage_is_named_with_file_line_and_fix(
      String format, String name, int count, String third, String message) throws IOException {
    String both = format.equals("google2011") ? " 5" : "";
    write(name, lines(count, i -> i == 2 ? third : i % 9 + both));
    assertThatThrownBy(() -> series(format))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void rows_at_another_step_are_refused_with_the_step_to_say() throws IOException {
    write("1.csv", HEADER + "\n" + lines(30, i -> row(1_372_629_900 + 60 * i, i)));
    assertThatThrownBy(() -> series("bitbrains"))
        .hasMessageContaining("1.csv:3: rows come every 60 s, not every 300: say --step 60s");
  }

  @Test
  void a_row_cut_in_half_is_named() throws IOException {
    String whole = HEADER + "\n" + lines(30, i -> row(1_372_629_900 + 300 * i, i));
    write("1.csv", whole.substring(0, whole.length() - 40));
    assertThatThrownBy(() -> series("bitbrains"))
        .hasMessageContaining("1.csv:31:")
        .hasMessageContaining("the header names 8: the file is cut short or damaged");
  }

  @Test
  void damaged_files_can_be_left_out_and_are_listed() throws IOException {
    write("20110303/host1_uw_oneswarm", lines(10, i -> "" + i));
    write("20110303/host2_uw_oneswarm", lines(DAY, i -> "" + i % 7));
    UsageImport.Result result = read("planetlab", true);
    assertThat(result.history().series()).hasSize(1);
    assertThat(result.damaged()).singleElement().asString().contains("host1_uw_oneswarm:10: cut");
  }

  @Test
  void a_folder_without_such_files_says_what_was_expected() throws IOException {
    write("notes.txt", "nothing");
    assertThatThrownBy(() -> series("google2011"))
        .hasMessageContaining("no file of format google2011 in it: it has vm_JOB_DAY")
        .hasMessageContaining("unpack archives first");
    assertThatThrownBy(() -> new UsageImport("azure", 300, 1, 1, false))
        .hasMessage(
            "unknown format 'azure'; there are: planetlab, google2011, bitbrains, azure-v1, swf,"
                + " dlrm");
  }
}
