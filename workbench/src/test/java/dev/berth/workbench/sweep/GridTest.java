package dev.berth.workbench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridTest {
  private static final String GRID =
      """
      fixed: {agent: dqn, scenario: deployments.yaml}
      grid:
        learning-rate: [0.001, 0.0003]
        gamma: [0, 0.5, 0.9]
      seeds: 1-2
      evaluate: {scenarios: scenarios, seeds: 3, metric: request_cpu_variance}
      """;
  private static final Path ROOT = Path.of(System.getProperty("berth.root", ".."));
  @TempDir Path folder;

  private Grid read(String yaml) throws IOException {
    return Grid.read(Files.writeString(folder.resolve("grid.yaml"), yaml));
  }

  @Test
  void everyCombinationComesOncePerSeed() throws IOException {
    Grid grid = read(GRID);
    assertThat(grid.size()).isEqualTo(2 * 3 * 2);
    assertThat(
            grid.units().stream().map(u -> u.cell() + " " + u.seed()).collect(Collectors.toSet()))
        .hasSize(12);
  }

  @Test
  void theSameIndexIsAlwaysTheSameUnit() throws IOException {
    Unit unit = read(GRID).unit(3);
    assertThat(unit.settings()).isEqualTo(Map.of("learning-rate", "0.001", "gamma", "0.5"));
    assertThat(unit.seed()).isEqualTo(2);
    assertThat(unit.cell()).isEqualTo("learning-rate=0.001 gamma=0.5");
  }

  @Test
  void anotherGridHasAnotherFingerprint() throws IOException {
    assertThat(read(GRID).fingerprint())
        .isEqualTo(read(GRID).fingerprint())
        .isNotEqualTo(read(GRID.replace("0.5", "0.6")).fingerprint());
  }

  @ParameterizedTest(name = "{0} instead of {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "seeds: 9000-9001 | seeds: 1-2 | grid.yaml:5: seeds: training seeds end below 9001",
        "seeds: 1-3, | seeds: 3, | grid.yaml:6: seeds: judging seeds start at 9001",
        "seeds: 0 | seeds: 1-2 | grid.yaml:5: seeds: need at least one",
        "gird: | grid: | grid.yaml:1: grid: missing: add for example",
        "metrics: | metric: | grid.yaml:6: metrics: unknown key; known here: scenarios, seeds,"
            + " metric",
        "gamma: [] | gamma: [0, 0.5, 0.9] | grid.yaml:4: gamma: the list is empty",
      })
  void mistakesAreNamedByLineAndKey(String wrong, String right, String message) {
    assertThatThrownBy(() -> read(GRID.replace(right, wrong)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFolderIsNoGridFile() {
    assertThatThrownBy(() -> Grid.read(folder))
        .isInstanceOf(TextException.class)
        .hasMessage(folder + ": a folder: name the grid file");
  }

  @Test
  void theGridInTheDocumentationIsAGrid() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/sweeps.md"));
    String block = page.substring(page.indexOf("```yaml") + 7);
    assertThat(read(block.substring(0, block.indexOf("```"))).size()).isEqualTo(12);
  }

  @Test
  void theIndexedJobHasOneCompletionForEachUnitOfItsGrid() throws IOException {
    Path sweep = ROOT.resolve("manifests/sweep");
    assertThat(Files.readString(sweep.resolve("job.yaml")))
        .contains("completions: " + Grid.read(sweep.resolve("grid.yaml")).size() + " ");
  }
}
