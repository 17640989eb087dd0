package dev.berth.workbench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReductionTest {
  @TempDir Path folder;

  private void result(String grid, int index, String gamma, long seed, double cost)
      throws IOException {
    Files.createDirectories(SweepFolder.results(folder));
    Unit unit = new Unit(index, Map.of("gamma", gamma), seed);
    new UnitResult(grid, index, 4, "cost", unit.settings(), seed, Map.of("cost", cost), 1.5)
        .write(SweepFolder.result(folder, unit));
  }

  @Test
  void cellsComeBestFirstWithStudentsIntervalOverTheSeeds() throws IOException {
    result("a", 0, "0.9", 1, 4.0);
    result("a", 1, "0.9", 2, 6.0);
    result("a", 2, "0", 1, 1.0);
    result("a", 3, "0", 2, 2.0);
    Reduction reduction = Reduction.of(folder);
    assertThat(reduction.rows()).extracting(Reduction.Row::mean).containsExactly(1.5, 5.0);
    // s = 0.7071, t(1) = 12.7062047, half = t * s / sqrt(2)
    assertThat(reduction.rows().get(0).halfWidth()).isCloseTo(6.35310237, within(1e-7));
    assertThat(reduction.missing()).isEmpty();
    assertThat(reduction.markdown())
        .isEqualTo(
            """
            | gamma | seeds | cost | 95 % CI |
            | --- | ---: | ---: | ---: |
            | 0 | 2 | 1.500 | ± 6.353 |
            | 0.9 | 2 | 5.000 | ± 12.71 |
            """);
  }

  @Test
  void unitsWithoutAResultAreNamed() throws IOException {
    result("a", 0, "0.9", 1, 4.0);
    result("a", 3, "0", 2, 2.0);
    assertThat(Reduction.of(folder).missing()).containsExactly(1, 2);
  }

  @Test
  void theCsvHasOneLinePerUnitAndMetric() throws IOException {
    result("a", 2, "0", 1, 1.0);
    Path csv = folder.resolve("sweep.csv");
    Reduction.of(folder).writeCsv(csv);
    assertThat(csv).hasContent("index,gamma,seed,seconds,metric,value\n2,0,1,1.5,cost,1.0\n");
  }

  @Test
  void resultsOfTwoGridsAreNotMixed() throws IOException {
    result("a", 0, "0.9", 1, 4.0);
    result("b", 1, "0.9", 2, 4.0);
    assertThatThrownBy(() -> Reduction.of(folder))
        .isInstanceOf(SweepException.class)
        .hasMessageContaining("different grids");
  }

  @Test
  void aHalfWrittenResultOfAKilledUnitIsNotRead() throws IOException {
    result("a", 0, "0.9", 1, 4.0);
    Files.writeString(SweepFolder.results(folder).resolve("00001.json.part"), "{\"grid\":");
    assertThat(Reduction.of(folder).missing()).containsExactly(1, 2, 3);
  }

  @Test
  void anEmptyFolderIsNamed() {
    assertThatThrownBy(() -> Reduction.of(folder)).hasMessageContaining("no results here");
  }
}
