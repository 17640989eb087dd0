package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.PodSample;
import dev.berth.service.cli.Doctor;
import dev.berth.service.recording.Entry;
import dev.berth.service.recording.Recording;
import dev.berth.service.recording.Replay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Usage of pods through the whole service: from Prometheus into the state and the recording. */
@Timeout(60)
class MeasuredPodsTest {
  private static final String POLICY = "predict-then-greedy";

  @TempDir private Path folder;

  @Test
  void whatAPodUsesReachesTheStateBeforeItsNodeAndIsReplayedToTheBit() throws Exception {
    Path file = folder.resolve("recording");
    Map<String, String> settings =
        Map.of("BERTH_SCORING_POLICY", POLICY, "BERTH_RECORDING_FILE", file.toString());
    FastClock clock = new FastClock(20);
    try (FourNodes cluster = new FourNodes(folder.resolve("state"), clock, settings)) {
      cluster.awaitSamples();
      assertThat(cluster.get("/v1/status").path("podsMeasured").asInt()).isZero();
      assertThat(doctor(cluster)).contains("NOTE     service: pods", "usage of no running pod");
      cluster.podsAreMeasured();
      while (cluster.get("/v1/status").path("podsMeasured").asInt() != 1) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(cluster.get("/readyz").path("warnings").toString()).doesNotContain("pod-");
      assertThat(doctor(cluster)).contains("tells what 1 running pods use");
      int asked = cluster.askedForPods();
      for (int i = 0; i < 20 || cluster.askedForPods() < asked + 3; i++) {
        cluster.score("pod-" + i, "\"mode\":\"active\",");
        cluster.bound("pod-" + i, "n" + i % 4, "", clock.instant());
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    Recording recording = Recording.read(file, false);
    List<PodSample> samples =
        recording.events().stream()
            .map(Entry::podSamples)
            .filter(s -> s != null)
            .flatMap(s -> s.samples().stream())
            .toList();
    assertThat(samples)
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s.uid()).isEqualTo("old-0"))
        .allSatisfy(s -> assertThat(s.cpuCores()).isCloseTo(1, within(1e-6)));
    assertThat(comeJustBeforeTheirNodes(recording)).isGreaterThan(0.5);
    assertThat(sameScores(recording)).isEqualTo(1);
  }

  /**
   * Share of pods' samples that the next ones of nodes came closer to than the last: questions may
   * come in between, and a machine may halt there, though not most of the time.
   */
  private static double comeJustBeforeTheirNodes(Recording recording) {
    double nodesAt = Double.NEGATIVE_INFINITY;
    double gap = Double.NaN;
    double podsAt = Double.NaN;
    int compared = 0;
    int before = 0;
    for (Entry event : recording.events()) {
      if (event.podSamples() != null) {
        podsAt = event.podSamples().at();
        gap = podsAt - nodesAt;
      } else if (event.samples() != null) {
        nodesAt = event.samples().at();
        if (!Double.isNaN(podsAt)) {
          compared++;
          before += nodesAt - podsAt < gap ? 1 : 0;
        }
        podsAt = Double.NaN;
      }
    }
    return (double) before / compared;
  }

  /** Share of the questions that a replay scores as the service did. */
  private static double sameScores(Recording recording) {
    Replay replay = new Replay(recording.start(), recording.start().usage());
    int asked = 0;
    int same = 0;
    for (Entry event : recording.events()) {
      double[] base = replay.feed(event);
      if (event.question() != null) {
        asked++;
        same += Arrays.equals(base, event.question().base()) ? 1 : 0;
      }
    }
    return (double) same / asked;
  }

  private static String doctor(FourNodes cluster) {
    StringWriter said = new StringWriter();
    new CommandLine(new Doctor()).setOut(new PrintWriter(said)).execute("--service", cluster.url());
    return said.toString();
  }
}
