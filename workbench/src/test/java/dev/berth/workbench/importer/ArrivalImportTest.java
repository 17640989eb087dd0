package dev.berth.workbench.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.workload.Arrivals;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalImportTest {
  private static final String JOB =
      "1 20 -1 83 4 -1 -1 -1 1200 -1 -1 7 1 -1 -1 1 -1 -1\n"
          + "2 10 -1 0 1 -1 -1 -1 1200 -1 -1 2 2 -1 -1 2 -1 -1\n"
          + "3 30 -1 50 -1 -1 -1 2 1200 1024 -1 7 1 -1 -1 3 -1 -1\n";

  private static final String INSTANCES =
      """
      instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time
      i0,HN,app_0,12,1,120.0,,,
      i1,CN,app_0,64,0,320.0,500,510,900
      """;

  @TempDir private Path folder;

  @BeforeEach
  void azure() throws IOException {
    write("t-flav_map.txt", "1,1.75 b\n2,3.5 g\n");
    write("t-interval_map.txt", "0 0\n300 1\n600 1\n");
    write("t.part.txt", "600 b,g,b,|,g,|\n900 g,|\n");
    write("t.part.c1200.txt", "600 U0,U1,C1,|,U0,|\n900 U1,|\n");
    write("jobs.swf", "; a comment\n" + JOB);
    write("instances.csv", INSTANCES);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private List<Batch> read(String format) throws IOException {
    Arrivals arrivals = ArrivalImport.read(format, folder);
    return arrivals.batches();
  }

  @Test
  void azure_a_batch_is_an_owner_and_a_life_lies_in_its_bin() throws IOException {
    List<Batch> batches = read("azure-v1");
    assertThat(batches)
        .extracting(Batch::owner)
        .containsExactly("batch-600-0", "batch-600-0", "batch-600-1", "batch-900-0");
    assertThat(batches).extracting(Batch::cpuMilli).containsExactly(1000L, 2000L, 2000L, 2000L);
    assertThat(batches.get(0).memoryBytes()).isEqualTo(7L << 28);
    assertThat(batches.get(0).lives()[0]).isBetween(1f, 300f);
    assertThat(batches.get(0).lives()[1]).as("not seen to its end").isInfinite();
    assertThat(batches.get(1).lives()[0]).isBetween(300f, 900f);
    assertThat(read("azure-v1").get(1).lives()).isEqualTo(batches.get(1).lives());
  }

  @Test
  void swf_the_user_is_the_owner_and_jobs_that_never_ran_are_left_out() throws IOException {
    List<Batch> jobs = read("swf");
    assertThat(jobs).extracting(Batch::owner).containsExactly("user-7", "user-7");
    assertThat(jobs).extracting(Batch::at).containsExactly(20.0, 30.0);
    assertThat(jobs).extracting(Batch::cpuMilli).containsExactly(4000L, 2000L);
    assertThat(jobs).extracting(Batch::memoryBytes).containsExactly(0L, 2L << 20);
    assertThat(jobs.get(0).lives()).containsExactly(83);
  }

  @Test
  void dlrm_application_and_role_are_the_owner_and_what_is_not_said_lies_outside()
      throws IOException {
    List<Batch> instances = read("dlrm");
    assertThat(instances).extracting(Batch::owner).containsExactly("app_0-HN", "app_0-CN");
    assertThat(instances.get(0).at()).isZero();
    assertThat(instances.get(0).lives()[0]).isInfinite();
    assertThat(instances.get(1).lives()).containsExactly(400);
    assertThat(instances.get(1).memoryBytes()).isEqualTo(320L << 30);
  }

  @ParameterizedTest(name = "{0} {2} -> {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "azure-v1 | t.part.c1200.txt | 900 U1      | 950 U1     | t.part.c1200.txt:2: time 950"
            + " with",
        "azure-v1 | t.part.c1200.txt | U0,U1       | U0         | t.part.c1200.txt:1: time 600"
            + " with",
        "azure-v1 | t.part.c1200.txt | 900 U1      | 900 X1     | t.part.c1200.txt:2: 'X1':"
            + " expected U or C and a bin",
        "azure-v1 | t.part.txt       | 900 g       | 900 z      | t.part.txt:2: flavour 'z' is not"
            + " in the flavour map",
        "azure-v1 | t-flav_map.txt   | 2,3.5 g     | 2,3.5      | t-flav_map.txt:2: expected",
        "swf      | jobs.swf         | 2 -1 -1\\n"
            + "3  | 2\\n"
            + "3       | jobs.swf:3: 16 fields, a job has 18: the file is cut short",
        "swf      | jobs.swf         | -1 83 4     | -1 x 4     | jobs.swf:2: run time is 'x'",
        "dlrm     | instances.csv    | app_0,64    | ,64        | instances.csv:3: app_name is"
            + " empty",
        "dlrm     | instances.csv    | 510,900     | 510,90     | instances.csv:3: deleted before"
            + " it was created",
      })
  void damage_is_named_with_file_line_and_fix(
      String format, String name, String right, String wrong, String message) throws IOException {
    String text = Files.readString(folder.resolve(name));
    String from = right.replace("\\n", "\n");
    assertThat(text).contains(from);
    write(name, text.replace(from, wrong.replace("\\n", "\n")));
    assertThatThrownBy(() -> read(format))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_folder_with_no_such_file_or_two_of_them_says_what_was_expected() throws IOException {
    write("more.swf", JOB);
    assertThatThrownBy(() -> read("swf"))
        .hasMessageContaining("2 files are called NAME.swf, expected one: name the file itself");
    assertThat(ArrivalImport.read("swf", folder.resolve("jobs.swf")).batches()).hasSize(2);
    Path other = Files.writeString(folder.resolve("jobs.txt"), JOB);
    assertThatThrownBy(() -> ArrivalImport.read("swf", other))
        .hasMessage(other + ": a file of this format is called NAME.swf");
  }
}
