package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.Service;
import dev.berth.service.config.ConfigLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Against the service as it runs, over its HTTP port. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScoreTraceTest {
  private static final Path EXAMPLES = Path.of(System.getProperty("berth.root"), "docs/examples");
  @TempDir static Path folder;
  private Service service;
  private String out = "";
  private String err = "";

  @BeforeAll
  void start() {
    service = serve(folder.resolve("state"));
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private static Service serve(Path state) {
    return Service.start(
        ConfigLoader.load(
            null,
            Map.of(
                "BERTH_SERVER_PORT", "0",
                "BERTH_SERVER_SCHEDULER_PORT", "0",
                "BERTH_SERVER_WARM_UP", "0s",
                "BERTH_STATE_FOLDER", state.toString())));
  }

  private int score(int port, Path state, Path nodes, Path pods, String... more) {
    StringWriter console = new StringWriter();
    StringWriter errors = new StringWriter();
    List<String> args =
        new ArrayList<>(
            List.of(
                "score-trace",
                "--nodes=" + nodes,
                "--pods=" + pods,
                "--service=http://127.0.0.1:" + port,
                "--token-file=" + state.resolve("token")));
    args.addAll(List.of(more));
    int code =
        Workbench.commandLine()
            .setOut(new PrintWriter(console))
            .setErr(new PrintWriter(errors))
            .execute(args.toArray(String[]::new));
    out = console.toString();
    err = errors.toString();
    return code;
  }

  private int example(String... more) {
    return score(
        service.schedulerPort(),
        folder.resolve("state"),
        EXAMPLES.resolve("gpu-nodes.csv"),
        EXAMPLES.resolve("gpu-pods.csv"),
        more);
  }

  /** Best fit packs: the card that was just used has the least room that is enough. */
  @Test
  void the_next_shared_pod_goes_to_the_card_that_the_last_one_opened() throws IOException {
    Path nodes = Files.writeString(folder.resolve("nodes.csv"), NODES);
    Path pods = Files.writeString(folder.resolve("pods.csv"), PODS);
    Path state = folder.resolve("fresh");
    try (Service fresh = serve(state)) {
      assertThat(score(fresh.schedulerPort(), state, nodes, pods, "--count=2")).as(err).isZero();
    }
    assertThat(out.lines().filter(line -> line.startsWith("  100")))
        .singleElement()
        .asString()
        .contains("small", "[0]", "[700,1000]");
    assertThat(out).contains("2 pods asked about, each with 2 to 2 candidates");
  }

  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model
      cpu-only,64000,262144,0,
      large,96000,262144,4,T4
      small,32000,262144,2,T4
      """;
  private static final String PODS =
      """
      name,cpu_milli,memory_mib,num_gpu,gpu_milli
      a,4000,1024,1,300
      b,4000,1024,1,300
      c,4000,1024,1,
      """;

  @Test
  void the_learned_value_takes_over_once_fifty_gpu_pods_were_seen() {
    assertThat(example("--count=80")).as(err).isZero();
    assertThat(out)
        .containsPattern("\\d+ scored by best-fit")
        .containsPattern("\\d+ scored by gpu-value")
        .containsPattern("latency p50 \\d+\\.\\d\\d ms, p99")
        .contains("50 nodes");
  }

  @Test
  void a_pod_is_found_by_name_and_one_that_is_not_there_is_named() {
    assertThat(example("--pod=pod-0007")).as(err).isZero();
    assertThat(out).contains("pod pod-0007:");
    assertThat(example("--pod=pod-x")).isEqualTo(2);
    assertThat(err).contains("has no pod 'pod-x'").contains("0 to 199");
  }

  @Test
  void a_pod_without_room_is_counted_by_what_it_lacks() throws IOException {
    Path nodes = Files.writeString(folder.resolve("tight.csv"), NODES);
    Path pods =
        Files.writeString(
            folder.resolve("big.csv"), "name,cpu_milli,num_gpu\nbig,1000,8\nok,1000,1\n");
    assertThat(score(service.schedulerPort(), folder.resolve("state"), nodes, pods, "--count=2"))
        .as(err)
        .isZero();
    assertThat(out).contains("1 not placed: no card room; first big");
  }

  @Test
  void a_service_that_is_away_is_an_error_with_the_way_out() throws IOException {
    Path state = folder.resolve("gone");
    int port;
    try (Service gone = serve(state)) {
      port = gone.schedulerPort();
    }
    int code =
        score(port, state, EXAMPLES.resolve("gpu-nodes.csv"), EXAMPLES.resolve("gpu-pods.csv"));
    assertThat(code).isEqualTo(1);
    assertThat(err).contains("no answer from http://127.0.0.1:" + port, "berth serve");
  }

  @Test
  void a_wrong_token_and_a_bad_row_are_named() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("token"), "wrong");
    Path nodes = EXAMPLES.resolve("gpu-nodes.csv");
    Path pods = EXAMPLES.resolve("gpu-pods.csv");
    assertThat(score(service.schedulerPort(), other, nodes, pods)).isEqualTo(1);
    assertThat(err).contains("refuses the token", "--token-file").doesNotContain("wrong");
    Path bad = Files.writeString(folder.resolve("bad.csv"), "name,cpu_milli,num_gpu\na,many,1\n");
    assertThat(score(service.schedulerPort(), folder.resolve("state"), nodes, bad)).isEqualTo(2);
    assertThat(err).contains("bad.csv:2: cpu_milli is 'many'");
  }
}
