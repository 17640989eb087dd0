package dev.berth.workbench.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {

  @Test
  void aPodsLogGetsPlainLinesThatEndWithTheLastStep() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(log, true, StandardCharsets.US_ASCII);
    try (Progress progress = Progress.of("units", 3, err, false, StandardCharsets.US_ASCII)) {
      progress.doing("the last").stepTo(3);
    }
    String text = log.toString(StandardCharsets.US_ASCII);
    assertThat(text).contains("units 100%").contains("3/3").contains("the last");
    assertThat(text).doesNotContain("\r").doesNotContain("??");
  }
}
