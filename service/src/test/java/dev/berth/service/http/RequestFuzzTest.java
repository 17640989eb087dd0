package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Any body gives a request or a {@link Problem} of a 4xx status, whose detail fits a line of a log:
 * anything else would be a 500, which counts against the service in the plugin.
 */
class RequestFuzzTest {
  private static final String SCORE =
      """
      {"decision": "d", "scheduler": "s", "mode": "active",
       "pod": {"uid": "u", "name": "n", "namespace": "ns", "owner": "ns/Deployment/w", "priority": 0,
               "cpuMilli": 500, "memoryBytes": 1048576, "gpu": {"count": 1, "milli": 500, "models": ["V100"]},
               "annotations": {"latencySoftConstraint": "35", "latencyHardConstraint": "70"}},
       "nodes": {"names": ["a", "b"], "cpuMilli": [4000, 4000], "memoryBytes": [8589934592, 8589934592],
                 "podLimit": [110, 110], "cpuRequestedMilli": [0, 100], "memoryRequestedBytes": [0, 0],
                 "podCount": [0, 1], "pendingCpuMilli": [0, 0], "pendingMemoryBytes": [0, 0],
                 "pendingPods": [0, 0], "zones": ["", "z"], "racks": ["", "r"],
                 "gpuModels": ["V100", ""], "gpuFreeMilli": [[1000, -5], []]}}
      """;
  private static final String OUTCOMES =
      """
      {"scheduler": "s", "events": [
        {"type": "bound", "at": "2026-11-21T05:00:00.5Z", "decision": "d", "node": "a",
         "pod": {"uid": "u", "cpuMilli": 500, "memoryBytes": 1}},
        {"type": "gone", "at": "2026-11-21T05:00:00+01:00", "uid": "u"}]}
      """;
  private static final List<String> STUMBLING_BLOCKS =
      List.of(
          "",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "null",
          "true",
          "-1",
          "0",
          "1e3",
          "1.5",
          "NaN",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999999",
          "\"\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\u0000",
          "[[[[[[[[[[[[[[[[[[[[",
          "{}",
          "[]",
          "\"x\"",
          "\"decision\"",
          "\"gpu\"",
          "\"+999999999-12-31T23:59:59Z\"",
          "\"" + "y".repeat(3_000) + "\"");

  private interface Reader {
    Object read(byte[] body);
  }

  private static void fuzz(String sample, Reader reader) {
    byte[] valid = sample.getBytes(StandardCharsets.UTF_8);
    assertThat(reader.read(valid)).isNotNull();
    SplittableRandom random = new SplittableRandom(1);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 3_000; i++) {
            byte[] body = mutated(sample, random);
            try {
              reader.read(body);
            } catch (Problem e) {
              assertThat(e.status()).isBetween(400, 499);
              assertThat(e.detail()).isNotBlank().hasSizeLessThan(1_000);
            } catch (Throwable e) {
              fail(new String(body, StandardCharsets.UTF_8), e);
            }
          }
        });
  }

  private static byte[] mutated(String sample, SplittableRandom random) {
    StringBuilder text = new StringBuilder(sample);
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(12));
      text.replace(from, to, STUMBLING_BLOCKS.get(random.nextInt(STUMBLING_BLOCKS.size())));
    }
    byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(4) == 0) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return body;
  }

  @Test
  void aScoreRequestIsReadOrRefused_seed1() {
    fuzz(
        SCORE,
        body ->
            ScoreRequestReader.read(body, body.length, 5_000, 1.8e9, new SenderClocks(), () -> {}));
  }

  @Test
  void outcomesAreReadOrRefused_seed1() {
    fuzz(
        OUTCOMES,
        body -> new OutcomesReader(5_000, 1.8e9, new SenderClocks()).read(body, body.length));
  }

  @Test
  void whatIsQuotedFromARequestIsCutShort() {
    String huge = SCORE.replace("\"active\"", "\"" + "m".repeat(1_000) + "\"");
    String name = "f".repeat(40_000);
    for (String body : List.of(huge, "{\"" + name + "\": 1}", "{\"pod\": \"" + name + "\"}")) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      try {
        ScoreRequestReader.read(bytes, bytes.length, 5_000, 1.8e9, new SenderClocks(), () -> {});
        fail("was read: " + body);
      } catch (Problem e) {
        assertThat(e.detail()).hasSizeLessThan(1_000);
      }
    }
  }
}
