package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedulers whose clocks are far off: what a reward is measured by must not notice. */
class ClockOffsetTest {
  private static final double NOW = 1_800_000_000;

  @ParameterizedTest(name = "{0} s")
  @ValueSource(longs = {-86_400, -3_600, -90, 90, 3_600, 86_400})
  void aRewardIsTheSameHoweverFarTheSchedulersClockIsOff(long offset) {
    double right = measuredWithoutItsPod(0);
    assertThat(right).isLessThan(5 - 0.1); // its own usage comes off
    assertThat(measuredWithoutItsPod(offset)).isCloseTo(right, within(1e-9));
  }

  /** Both clocks agree; the question that told of the reservation took three seconds to come. */
  @Test
  void aReservationThatWasLongOnItsWayStaysTakenBack() {
    SenderClocks clocks = new SenderClocks();
    Scorer scorer = scorer(new ClusterState(UsageConfig.DEFAULT));
    scorer
        .intake()
        .apply(sent(clocks, NOW, NOW, event("reserved", NOW - 2), event("unreserved", NOW - 1)));
    scorer.intake().apply(sent(clocks, NOW + 2, NOW - 1, event("reserved", NOW - 2)));
    assertThat(scorer.runningPods()).isZero();
  }

  @Test
  void aClockThatIsSetBackIsBelievedWithinTwoMinutes() {
    SenderClocks clocks = new SenderClocks();
    assertThat(clocks.ahead("s", NOW, NOW)).isZero();
    assertThat(clocks.ahead("s", NOW + 10 - 90, NOW + 10)).isZero(); // perhaps it is only late
    double later = NOW + 2 * SenderClocks.SPAN_SECONDS;
    assertThat(clocks.ahead("s", later - 90, later)).isEqualTo(90);
    assertThat(clocks.ahead("another", later - 30, later)).isEqualTo(30);
    assertThat(clocks.ahead("s", later + 1, later + 1)).isZero(); // and set right again at once
  }

  private static List<OutcomeEvent> sent(
      SenderClocks clocks, double now, double sentAt, String... events) {
    String batch =
        "{\"scheduler\": \"s\", \"sentAt\": \"%s\", \"events\": [%s]}"
            .formatted(Instant.ofEpochSecond((long) sentAt), String.join(",", events));
    byte[] body = batch.getBytes(StandardCharsets.UTF_8);
    return new OutcomesReader(10, now, clocks).read(body, body.length);
  }

  private static String event(String type, double at) {
    return """
        {"type": "%s", "at": "%s", "node": "n0",
         "pod": {"uid": "u", "owner": "shop/Pod/p", "cpuMilli": 2000, "memoryBytes": 1}}
        """
        .formatted(type, Instant.ofEpochSecond((long) at));
  }

  private static Scorer scorer(ClusterState state) {
    return new Scorer(
        ServiceConfig.defaults().scoring(),
        new Serving(PredictThenGreedy.best(), 0),
        new SharedState(state, Clock.fixed(Instant.ofEpochSecond((long) NOW), ZoneOffset.UTC)),
        new NodeTable(),
        new ServiceMetrics(),
        "test",
        ScorerSink.NONE,
        Runnable::run);
  }

  /** Bound by a scheduler whose clock is off; its node measured while the pod starts. */
  private static double measuredWithoutItsPod(long offset) {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    Scorer scorer = scorer(state);
    state.deciding(Given.nodes("n0"), NOW);
    long order = state.binds();
    scorer
        .intake()
        .apply(sent(new SenderClocks(), NOW, NOW + offset, event("bound", NOW + offset)));
    state.sample(
        new NodeSample("n0", NOW + 5, NOW + 35, 5, Double.NaN, Double.NaN, Double.NaN), NOW + 36);
    return state.measuredCpuWithout("n0", order, NOW + 36, 30);
  }
}
