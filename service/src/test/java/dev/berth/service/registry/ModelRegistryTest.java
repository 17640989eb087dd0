package dev.berth.service.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelRegistryTest {
  @TempDir Path folder;

  @Test
  void everyVersionIsKept() {
    ModelRegistry registry = ModelRegistry.open(folder);
    add(registry, 1);
    add(registry, 2);
    assertThat(registry.list()).extracting(ModelInfo::version).containsExactly(1L, 2L);
    assertThat(registry.read(1)).containsExactly(1);
    assertThat(registry.serving()).isEqualTo(ServingState.NONE);
  }

  @Test
  void aPromotedVersionServesAlsoAfterARestart() {
    ModelRegistry registry = ModelRegistry.open(folder);
    add(registry, 1);
    add(registry, 2);
    assertThat(registry.promote(1)).isTrue();
    assertThat(registry.promote(2)).isTrue();
    assertThat(ModelRegistry.open(folder).serving())
        .isEqualTo(new ServingState(2, false, List.of(1L)));
  }

  @Test
  void aRollbackHoldsUntilItIsUnpinned() {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 3; i++) {
      add(registry, i);
      registry.promote(i);
    }
    assertThat(registry.rollback(0).version()).isEqualTo(2);
    add(registry, 4);
    assertThat(registry.promote(4)).isFalse();
    assertThat(registry.rollback(0).version()).isEqualTo(1);
    assertThat(registry.rollback(3).version()).isEqualTo(3);
    registry.unpin();
    assertThat(registry.promote(4)).isTrue();
  }

  @Test
  void aVersionOnTrialServesBesideAndARollbackEndsIt() {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 3; i++) {
      add(registry, i);
    }
    registry.promote(1);
    assertThat(registry.tryOut(2)).isTrue();
    assertThat(ModelRegistry.open(folder).serving())
        .isEqualTo(new ServingState(1, false, List.of(), 2L));
    registry.promote(2);
    assertThat(registry.serving()).isEqualTo(new ServingState(2, false, List.of(1L)));
    registry.tryOut(3);
    assertThat(registry.rollback(0).trial()).isNull();
    assertThat(registry.tryOut(3)).as("pinned").isFalse();
    assertThat(registry.serving()).isEqualTo(new ServingState(1, true, List.of()));
  }

  @Test
  void aStepBackSkipsWhatWasKeptBackAndARollbackWins() {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 4; i++) {
      add(registry, i);
      registry.promote(i);
    }
    registry.note(3, new ModelInfo.Verdict(true, "stepped back: loses"));
    assertThat(registry.stepBack(3)).as("does not serve").isFalse();
    assertThat(registry.stepBack(4)).isTrue();
    assertThat(registry.serving()).isEqualTo(new ServingState(2, false, List.of(1L)));
    registry.rollback(4);
    assertThat(registry.stepBack(4)).isFalse();
    assertThat(registry.serving().version()).isEqualTo(4);
    assertThat(registry.find(3).orElseThrow().verdict().reason()).contains("loses");
  }

  @Test
  void ofVersionsThatNeverServedTheNewestAreKeptAndAllThatServedLately() {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 100; i++) {
      add(registry, i);
      if (i % 20 == 0) {
        registry.promote(i);
      }
    }
    registry.tryOut(99);
    for (int i = 101; i <= 130; i++) {
      add(registry, i);
    }
    assertThat(registry.list())
        .extracting(ModelInfo::version)
        .containsExactly(
            20L, 40L, 60L, 80L, 99L, 100L, 121L, 122L, 123L, 124L, 125L, 126L, 127L, 128L, 129L,
            130L);
    assertThat(folder.resolve("v000001.model")).doesNotExist();
    assertThat(registry.rollback(0).version()).isEqualTo(80);
    assertThat(add(registry, 1).version()).as("no number is given twice").isEqualTo(131);
  }

  @Test
  void ofVersionsThatServedTheLastAreKept() {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 60; i++) {
      add(registry, i);
      registry.promote(i);
    }
    assertThat(registry.list()).hasSizeBetween(ModelRegistry.HISTORY, 35);
    assertThat(registry.serving().before())
        .hasSize(ModelRegistry.HISTORY)
        .allSatisfy(v -> assertThat(registry.find(v)).isPresent());
  }

  @Test
  void aServingFileOfAnEarlierReleaseIsRead() throws Exception {
    ModelRegistry registry = ModelRegistry.open(folder);
    Files.writeString(
        folder.resolve("serving.json"), "{\"version\": 1, \"pinned\": false, \"before\": []}");
    assertThat(registry.serving()).isEqualTo(new ServingState(1, false, List.of()));
  }

  @Test
  void whatCannotBeDoneIsAnsweredWithWhatCan() {
    ModelRegistry registry = ModelRegistry.open(folder);
    add(registry, 1);
    assertThatThrownBy(() -> registry.rollback(0)).hasMessageContaining("--to");
    assertThatThrownBy(() -> registry.promote(7)).hasMessageContaining("there are [1]");
    assertThatThrownBy(() -> registry.read(7)).hasMessageContaining("no model version 7");
  }

  @Test
  void aDamagedFileIsNamedWithItsField() throws Exception {
    ModelRegistry registry = ModelRegistry.open(folder);
    Files.writeString(folder.resolve("serving.json"), "{\"version\": 1, \"pinned\": false}");
    assertThatThrownBy(registry::serving)
        .isInstanceOf(TextException.class)
        .hasMessageContaining("serving.json:1: before: Missing required");
  }

  @Test
  void aModelWhoseDescriptionWasNotWrittenDoesNotExist() throws Exception {
    ModelRegistry registry = ModelRegistry.open(folder);
    add(registry, 1);
    // What a kill between the two files leaves behind, and one in the middle of a write.
    Files.write(folder.resolve("v000002.model"), new byte[] {9});
    Files.write(folder.resolve("v000003.json.tmp"), new byte[] {9});
    assertThat(registry.list()).hasSize(1);
    assertThat(add(registry, 2).version()).isEqualTo(2);
    assertThat(registry.read(2)).containsExactly(2);
  }

  /** In 25 of 60 tries one of two processes lost its change when nothing kept them apart. */
  @Test
  void ofTwoProcessesThatChangeTheRegistryAtOnceNoneLosesItsChange() throws Exception {
    ModelRegistry registry = ModelRegistry.open(folder);
    for (int i = 1; i <= 3; i++) {
      add(registry, i);
    }
    Process other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Promoter.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedWriter go = other.outputWriter();
        BufferedReader done = other.inputReader()) {
      assertThat(done.readLine()).isEqualTo("ready");
      for (int i = 0; i < 60; i++) {
        registry.unpin();
        registry.promote(1);
        registry.promote(2);
        go.write("3\n");
        go.flush();
        registry.rollback(0);
        assertThat(done.readLine()).isEqualTo("done");
        assertThat(registry.serving().pinned()).as("rollback in try %d", i).isTrue();
      }
    } finally {
      other.destroy();
    }
  }

  /** The other process: promotes each version it is told. */
  static final class Promoter {
    private Promoter() {}

    public static void main(String[] folder) throws Exception {
      ModelRegistry registry = ModelRegistry.open(Path.of(folder[0]));
      registry.promote(1);
      System.out.println("ready");
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String version = in.readLine(); version != null; version = in.readLine()) {
        try {
          registry.promote(Long.parseLong(version));
          System.out.println("done");
        } catch (RuntimeException e) {
          System.out.println(e);
        }
      }
    }
  }

  private static ModelInfo add(ModelRegistry registry, int content) {
    return registry.add(new byte[] {(byte) content}, "dqn", "2026-01-01T00:00:00Z", 10, 5, "test");
  }
}
