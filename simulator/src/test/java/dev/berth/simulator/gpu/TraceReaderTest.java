package dev.berth.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {
  @TempDir Path folder;

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  @Test
  void the_short_header_reads_like_the_long_one_without_models_and_times() throws IOException {
    Path pods =
        file("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli", "a,4000,1024,1,460");
    PodRow pod = TraceReader.pods(pods).get(0);
    assertThat(pod.shape().cpuMilli()).isEqualTo(4000);
    assertThat(pod.shape().memoryBytes()).isEqualTo(1L << 30);
    assertThat(pod.shape().gpu()).isEqualTo(new GpuRequest(1, 460, List.of()));
    assertThat(pod.createdAt()).isNaN();
  }

  @Test
  void models_and_times_are_read_where_present() throws IOException {
    Path pods =
        file(
            "pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
                + "deletion_time,scheduled_time",
            "a,4000,1024,2,1000,V100M16|V100M32,LS,Running,5,17,",
            "b,4000,1024,0,0,,LS,Running,5,17,6");
    List<PodRow> rows = TraceReader.pods(pods);
    assertThat(rows.get(0).shape().gpu())
        .isEqualTo(new GpuRequest(2, 1000, List.of("V100M16", "V100M32")));
    assertThat(rows.get(0).deletedAt()).isEqualTo(17);
    assertThat(rows.get(0).scheduledAt()).isNaN();
    assertThat(rows.get(1).shape().gpu()).isEqualTo(GpuRequest.NONE);
  }

  @Test
  void missing_values_have_defaults_and_decimals_that_are_whole_are_accepted() throws IOException {
    Path pods =
        file(
            "pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli",
            "a,4000.0,,1.0,",
            "b,,,,",
            "",
            "c,1000");
    List<PodRow> rows = TraceReader.pods(pods);
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0).shape().gpu().milli()).isEqualTo(1000);
    assertThat(rows.get(0).shape().memoryBytes()).isZero();
    assertThat(rows.get(1).shape().gpu()).isEqualTo(GpuRequest.NONE);
  }

  @Test
  void gzip_is_seen_by_content_not_by_name() throws IOException {
    Path nodes = folder.resolve("nodes.csv");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(nodes))) {
      out.write(
          "sn,cpu_milli,memory_mib,gpu,model\nn,64000,262144,2,P100\nc,32000,262144,0,\n"
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(TraceReader.nodes(nodes)).extracting(GpuTrace.NodeRow::cards).containsExactly(2, 0);
  }

  @Test
  void a_bad_row_is_named_by_file_and_line_with_value_and_fix() throws IOException {
    Path pods =
        file(
            "pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli",
            "a,4000,1024,1,460",
            "b,much,1024,1,460");
    assertThatThrownBy(() -> TraceReader.pods(pods))
        .hasMessageContaining("pods.csv:3: cpu_milli is 'much', expected a finite number");
    Path negative = file("neg.csv", "name,cpu_milli,num_gpu", "a,-5,1");
    assertThatThrownBy(() -> TraceReader.pods(negative))
        .hasMessageContaining("neg.csv:2: cpu_milli is -5, expected a whole number >= 0");
    Path split = file("split.csv", "name,cpu_milli,num_gpu,gpu_milli", "a,1000,2,500");
    assertThatThrownBy(() -> TraceReader.pods(split))
        .hasMessageContaining("split.csv:2: a pod with gpu-count=2 takes whole cards");
    Path wide = file("wide.csv", "name,cpu_milli,num_gpu", "a,1000,2,500");
    assertThatThrownBy(() -> TraceReader.pods(wide))
        .hasMessageContaining("wide.csv:2: 4 fields, the header names 3");
  }

  @Test
  void a_missing_column_an_empty_and_a_missing_file_are_named() throws IOException {
    Path pods = file("pods.csv", "name,memory_mib,num_gpu", "a,1,1");
    assertThatThrownBy(() -> TraceReader.pods(pods))
        .hasMessageContaining("pods.csv:1: the header lacks column cpu_milli");
    Path empty = Files.createFile(folder.resolve("empty.csv"));
    assertThatThrownBy(() -> TraceReader.pods(empty)).hasMessageContaining("the file is empty");
    assertThatThrownBy(() -> TraceReader.pods(folder.resolve("nowhere.csv")))
        .hasMessageContaining("nowhere.csv: no such file: name a CSV file like those in");
  }
}
