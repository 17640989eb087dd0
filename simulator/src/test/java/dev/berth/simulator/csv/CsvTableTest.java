package dev.berth.simulator.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVPrinter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private static List<String> names(Path file) {
    return CsvTable.read(file, List.of("name"), row -> row.text("name"));
  }

  @Test
  void whatIsWrittenReadsBackWhateverIsInIt() throws IOException {
    List<String> hard = List.of("a,b", "say \"a\"", "two\nlines", "ü", "#x", "-1");
    Path file = folder.resolve("t.csv");
    try (CSVPrinter out = CsvTable.write(file, List.of("name", "x"))) {
      for (String name : hard) {
        out.printRecord(name, 1);
      }
    }
    assertThat(names(file)).isEqualTo(hard);
  }

  @Test
  void windowsLinesAByteOrderMarkAndBlankLinesAreRead() throws IOException {
    assertThat(names(file("\uFEFFname , x\r\n\r\n a ,1\r\n \r\nb"))).containsExactly("a", "b");
  }

  @Test
  void whatDoesNotFitIsNamedByLine() throws IOException {
    assertThatThrownBy(() -> names(file("name\n\"a\" b\n")))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("t.csv:2: quotes that do not fit");
    assertThatThrownBy(() -> names(file("name,x\na,1\n\"b,2\n")))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("t.csv:3: quotes that do not fit");
    assertThatThrownBy(() -> names(file("name,name\na,1\n")))
        .hasMessageContaining("t.csv:1: the header names column 'name' twice: keep one");
  }

  @Test
  void numbersAreFiniteAndInRange() throws IOException {
    Path file = file("name,x\na,1e300\n");
    assertThatThrownBy(() -> CsvTable.read(file, List.of("x"), row -> row.whole("x", 0, 32)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("t.csv:2: x is 1e300, expected at most 32");
    Path endless = file("name,x\na,Infinity\n");
    assertThatThrownBy(() -> CsvTable.read(endless, List.of("x"), row -> row.number("x", 0)))
        .hasMessageContaining("t.csv:2: x is 'Infinity', expected a finite number");
  }

  @Test
  void aDamagedGzipFileIsNamed() throws IOException {
    Path file = folder.resolve("t.csv.gz");
    byte[] bytes = "\u001f\u008b rest".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, bytes);
    assertThatThrownBy(() -> names(file))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("t.csv.gz: damaged gzip");
  }
}
