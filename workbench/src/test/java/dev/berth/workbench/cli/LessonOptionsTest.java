package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulator.learning.Lessons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code --warm-start} and {@code --prefill} mean. */
final class LessonOptionsTest {

  @Test
  void withoutOptionsAnAgentLearnsFromItselfAlone() {
    assertThat(parsed().lessons()).isEqualTo(Lessons.NONE);
    assertThat(parsed().records()).isEmpty();
  }

  @Test
  void aPrefillIsAPolicyOrRecordedRuns(@TempDir Path folder) throws IOException {
    Path record = Files.writeString(folder.resolve("run.jsonl"), "");
    LessonOptions both = parsed("--prefill", record + ",default", "--prefill-episodes", "2");
    assertThat(both.records()).containsExactly(record);
    assertThat(both.lessons()).isEqualTo(new Lessons("", 0, "default", 2));
    LessonOptions file = parsed("--prefill", record.toString());
    assertThat(file.lessons()).isEqualTo(Lessons.NONE);
    assertThat(parsed("--warm-start", "la").lessons().imitated()).isEqualTo(4);
  }

  @Test
  void aNameThatIsNeitherPolicyNorFileIsRefused() {
    assertThatThrownBy(() -> parsed("--prefill", "no-such-policy").lessons())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no-such-policy");
    assertThatThrownBy(() -> parsed("--prefill", "default,la").lessons())
        .hasMessageContaining("one policy");
    assertThatThrownBy(() -> parsed("--warm-start", "nobody").lessons())
        .hasMessageContaining("nobody");
  }

  private static LessonOptions parsed(String... arguments) {
    return CommandLine.populateCommand(new LessonOptions(), arguments);
  }
}
