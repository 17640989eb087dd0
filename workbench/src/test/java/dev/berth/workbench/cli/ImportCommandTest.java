package dev.berth.workbench.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ImportCommandTest {
  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();
  private Path trace;

  @BeforeEach
  void aDayOfOnePod() throws IOException {
    Path day = Files.createDirectories(folder.resolve("trace/20110303"));
    trace = Files.writeString(day.resolve("host_uw_oneswarm"), numbers(288));
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> i % 50 + "\n").collect(joining());
  }

  private int berth(Path out, String... options) {
    String[] all =
        Stream.concat(
                Stream.of("planetlab", folder.resolve("trace").toString(), "-o", out.toString()),
                Stream.of(options))
            .toArray(String[]::new);
    return new CommandLine(new ImportCommand()).setErr(new PrintWriter(err)).execute(all);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "--cores, 0, --cores: 0.0 is not above zero",
    "--memory, 4GB, --memory: '4GB' is not a Kubernetes quantity",
    "--step, 7x, --step: '7x' is no duration",
    "--step, 1.5s, --step: 1.5 s: write whole seconds"
  })
  void a_wrong_option_is_named(String option, String value, String message) {
    assertThat(berth(folder.resolve("out.csv"), option, value)).isNotZero();
    assertThat(err.toString()).contains(message);
  }

  @Test
  void what_is_no_file_is_not_written_over() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThat(berth(taken)).isNotZero();
    assertThat(err.toString()).contains(taken + ": is no file: name one to write");
    assertThat(taken).isEmptyDirectory();
  }

  @Test
  void where_nothing_can_be_written_is_told_before_anything_is_read() throws IOException {
    Path below = Files.createFile(folder.resolve("file")).resolve("below");
    Files.writeString(trace, "no trace");
    assertThat(berth(below.resolve("out.csv"))).isNotZero();
    assertThat(err.toString()).contains("cannot write " + below);
  }

  @Test
  void what_is_read_is_not_written_over() throws IOException {
    assertThat(berth(trace)).isNotZero();
    assertThat(err.toString()).contains("lies within").contains("which is imported");
    assertThat(trace).hasContent(numbers(288));
  }

  @Test
  void a_link_keeps_and_its_file_is_replaced_whole() throws IOException {
    Path file = Files.writeString(folder.resolve("history.csv"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), file);
    assertThat(berth(link)).as(err.toString()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(file).content().startsWith("owner,pod,from").contains("uw_oneswarm,host,");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).noneMatch(f -> f.toString().endsWith(".part"));
    }
  }
}
