package dev.berth.workbench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepRunnerTest {
  private final List<Unit> units =
      IntStream.range(0, 4).mapToObj(i -> new Unit(i, Map.of("gamma", "0"), i)).toList();
  @TempDir Path folder;

  /** A shell in the unit's place; {@code $2} is its index. */
  private static List<String> shell(String script) {
    return List.of("sh", "-c", script, "unit");
  }

  @Test
  void everyUnitRunsAndItsOutputIsInItsLog() throws Exception {
    Queue<Unit> finished = new ConcurrentLinkedQueue<>();
    try (SweepRunner runner = new SweepRunner(shell("echo unit $2 of $1"), folder, 2)) {
      assertThat(runner.run(units, finished::add)).isEmpty();
    }
    assertThat(finished).hasSize(4);
    assertThat(SweepFolder.log(folder, units.get(3))).hasContent("unit 3 of --index\n");
  }

  @Test
  void aUnitThatFailsIsReportedAndTheOthersGoOn() throws Exception {
    Queue<Unit> finished = new ConcurrentLinkedQueue<>();
    try (SweepRunner runner = new SweepRunner(shell("test $2 != 1"), folder, 2)) {
      assertThat(runner.run(units, finished::add)).extracting(Unit::index).containsExactly(1);
    }
    assertThat(finished).hasSize(4);
  }

  @Test
  void closingStopsTheChildren() throws Exception {
    SweepRunner runner = new SweepRunner(shell("exec sleep 60"), folder, 1);
    Thread closer =
        new Thread(
            () -> {
              while (!Files.exists(SweepFolder.log(folder, units.get(0)))) {
                Thread.yield();
              }
              runner.close();
            });
    closer.start();
    List<Unit> first = List.of(units.get(0));
    assertThat(runner.run(first, unit -> {}))
        .as("a stopped unit counts as failed")
        .isEqualTo(first);
    closer.join();
  }

  @Test
  void aCommandThatDoesNotExistIsNamed() {
    try (SweepRunner runner = new SweepRunner(List.of("no-such-java"), folder, 1)) {
      assertThatThrownBy(() -> runner.run(units, unit -> {}))
          .isInstanceOf(SweepException.class)
          .hasMessageContaining("no-such-java");
    }
  }
}
