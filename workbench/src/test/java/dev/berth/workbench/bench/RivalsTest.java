package dev.berth.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ours is measured beside. */
final class RivalsTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root", ".."));
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void withoutAPythonTheBenchGoesOnAndSaysWhatToDo() throws Exception {
    Run run = python("/nowhere/python");
    assertThat(run.exit).isZero();
    assertThat(run.out).isEmpty();
    assertThat(run.err).contains("SKIPPED", "/nowhere/python", "make rivals", "RIVAL_PYTHON");
  }

  @Test
  void aPythonWithoutPyTorchIsNotTaken() throws Exception {
    Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\necho torch\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();
    Run run = python(python.toString());
    assertThat(run.out).isEmpty();
    assertThat(run.err).contains("SKIPPED", python + " lacks torch", "make rivals");
  }

  @Test
  void aPythonWithAllPackagesIsTaken() throws Exception {
    Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();
    Run run = python(python.toString());
    assertThat(run.out).isEqualTo(python + "\n");
    assertThat(run.err).isEmpty();
  }

  @Test
  void rivalsAreAskedAboutTheSameNodes() throws IOException {
    JsonNode objects = JSON.readTree(KubernetesObjects.question(7)).get("nodes");
    JsonNode ours = JSON.readTree(new SyntheticCluster(7).scoreRequest(0)).get("nodes");
    List<String> names =
        StreamSupport.stream(objects.spliterator(), false)
            .map(node -> node.at("/metadata/name").asText())
            .toList();
    assertThat(names)
        .isEqualTo(
            StreamSupport.stream(ours.get("names").spliterator(), false)
                .map(JsonNode::asText)
                .toList());
    assertThat(objects.get(0).toString()).hasSizeBetween(4_500, 4_900); // as of a kubelet
    assertThat(objects.get(0).at("/status/allocatable/cpu").asInt() * 1000)
        .isEqualTo(ours.at("/cpuMilli/0").asInt());
  }

  private record Run(int exit, String out, String err) {}

  /** Asks {@code workbench/rivals/python} for its interpreter. */
  private static Run python(String wanted) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(ROOT.resolve("workbench/rivals/python").toString());
    builder.environment().put("RIVAL_PYTHON", wanted);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, err);
  }
}
