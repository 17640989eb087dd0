package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Which nodes {@code GET /score} is about. */
class NodeTableTest {
  private final NodeTable table = new NodeTable();

  @Test
  void aNodeThatNobodyNamesForAnHourHasLeftTheCluster() {
    table.update(candidates("stays", "leaves"), 0);
    table.measured("measured", 4, 1e9, 0);
    table.update(candidates("stays"), 3000);
    assertThat(table.names()).containsExactly("leaves", "measured", "stays");
    table.update(candidates("stays"), 4000);
    assertThat(table.names()).containsExactly("stays");
  }

  @Test
  void aNodeThatNoPodFitsOnIsKeptByItsMetricsAsTheSchedulerDescribedIt() {
    table.update(candidates("full"), 0);
    for (double t = 30; t < 7200; t += 30) {
      table.measured("full", 2, 1e9, t);
    }
    assertThat(table.all())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.cpuMilli()).isEqualTo(64_000);
              assertThat(node.namedByScheduler()).isTrue();
            });
  }

  private static Candidates candidates(String... names) {
    int n = names.length;
    String[] nowhere = new String[n];
    Arrays.fill(nowhere, "");
    long[] cpu = new long[n];
    Arrays.fill(cpu, 64_000);
    return new Candidates(
        names,
        cpu,
        new long[n],
        new int[n],
        new long[n],
        new long[n],
        new int[n],
        new long[n],
        new long[n],
        new int[n],
        nowhere,
        nowhere,
        null);
  }
}
