package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.service.cli.Doctor;
import dev.berth.service.cli.Explain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Clocks that are hours off, through the whole service: decisions, explanations, the doctor. */
@Timeout(60)
class ClocksTest {
  private static final Map<String, String> SETTINGS =
      Map.of("BERTH_SCORING_POLICY", "predict-then-greedy", "BERTH_PROMETHEUS_WINDOW", "10s");

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0} hours")
  @ValueSource(ints = {-26, 3})
  void aSchedulersClockThatIsHoursOffChangesNothingButWhatTheDoctorSays(int hours)
      throws Exception {
    FastClock clock = new FastClock(50);
    try (FourNodes cluster = new FourNodes(folder, clock, SETTINGS)) {
      cluster.awaitSamples();
      JsonNode decision = MissingNode.getInstance();
      for (int i = 0; decision.isMissingNode(); i++) { // one may be looked at too late
        String uid = "pod-" + i;
        Instant theirs = clock.instant().plus(Duration.ofHours(hours));
        String from = "\"scheduler\":\"s/1\",\"sentAt\":\"%s\",".formatted(theirs);
        cluster.score(uid, "\"contract\":2,\"events\":[]," + from);
        cluster.bound(uid, "n0", from, theirs);
        TimeUnit.MILLISECONDS.sleep(300);
        decision = cluster.measured();
      }
      assertThat(decision.path("node").asText()).isEqualTo("n0");
      assertThat(decision.at("/measured/afterSeconds").asDouble()).isBetween(300.0, 500.0);
      assertThat(decision.at("/measured/usage").asDouble()).isCloseTo(0.125, within(0.01));
      assertThat(said(new Explain(), decision.path("pod").asText(), "--url", cluster.url()))
          .contains(": went to n0\n", "since then measured: n0 used 12.5 %");
      assertThat(said(new Doctor(), "--service", cluster.url()))
          .contains("WARNING  service: scheduler-clocks: the clock of scheduler 's/1' is ")
          .contains(hours < 0 ? " s behind this machine's" : " s ahead of this machine's")
          .contains("chronyc");
    }
  }

  @Test
  void aServiceWhoseClockIsPutBackByThreeHoursGoesOnByNewSamplesAndSaysSo() throws Exception {
    FastClock clock = new FastClock(50);
    try (FourNodes cluster = new FourNodes(folder, clock, SETTINGS)) {
      cluster.awaitSamples();
      assertThat(cluster.score("before", "").path("scores").path(0).asInt()).isEqualTo(100);
      clock.put(Duration.ofHours(-3));
      cluster.uses("32", "24", "16", "8");
      while (!(cluster.expected("n3") < 0.3)) { // 0.5 was measured before
        TimeUnit.MILLISECONDS.sleep(50);
      }
      cluster.score("after", "");
      cluster.bound("after", "n3", "", clock.instant());
      while (said(new Explain(), "shop/after", "--url", cluster.url()).isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(20); // decisions gather before they are written
      }
      assertThat(said(new Explain(), "shop/after", "--url", cluster.url()))
          .contains(": went to n3\n", "the sample of n3 was ");
      assertThat(said(new Doctor(), "--service", cluster.url()))
          .startsWith("WARNING  service: clock: this machine's clock was put back by 10")
          .contains("rollout restart statefulset/berth-service");
    }
  }

  @Test
  void podsOfARunWhoseClockWasAheadAreNotCountedOnTopOfWhatIsMeasured() throws Exception {
    FastClock clock = new FastClock(50);
    try (FourNodes cluster = new FourNodes(folder, clock, SETTINGS)) {
      cluster.awaitSamples();
    }
    clock.put(Duration.ofHours(-3)); // their binds are two hours from now
    try (FourNodes cluster = new FourNodes(folder, clock, SETTINGS)) {
      cluster.awaitSamples();
      assertThat(cluster.get("/v1/status").path("podsRunning").asInt()).isEqualTo(4);
      for (int i = 0; i < 10; i++) { // ten more seconds of samples each time
        TimeUnit.MILLISECONDS.sleep(200);
        double share = cluster.expected("n3");
        assertThat(Double.isNaN(share) || Math.abs(share - 0.5) < 0.1).as("%f", share).isTrue();
      }
      assertThat(said(new Doctor(), "--service", cluster.url())).doesNotContain("clock");
    }
  }

  private static String said(Object command, String... arguments) {
    StringWriter out = new StringWriter();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .execute(arguments);
    return out.toString();
  }
}
