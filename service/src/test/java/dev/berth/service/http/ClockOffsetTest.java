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
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
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

  /** Bound by a scheduler whose clock is off; its node measured while the pod starts. */
  private static double measuredWithoutItsPod(long offset) {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    Clock clock = Clock.fixed(Instant.ofEpochSecond((long) NOW), ZoneOffset.UTC);
    Scorer scorer =
        new Scorer(
            ServiceConfig.defaults().scoring(),
            new Serving(PredictThenGreedy.best(), 0),
            new SharedState(state, clock),
            new NodeTable(),
            new ServiceMetrics(),
            "test",
            ScorerSink.NONE,
            Runnable::run);
    state.deciding(Given.nodes("n0"), NOW);
    long order = state.binds();
    String theirs = Instant.ofEpochSecond((long) NOW + offset).toString();
    String batch =
        """
        {"scheduler": "s", "sentAt": "%s", "events": [{"type": "bound", "at": "%s", "node": "n0",
         "pod": {"uid": "u", "owner": "shop/Pod/p", "cpuMilli": 2000, "memoryBytes": 1}}]}
        """
            .formatted(theirs, theirs);
    byte[] body = batch.getBytes(StandardCharsets.UTF_8);
    scorer.intake().apply(new OutcomesReader(10, NOW).read(body, body.length));
    state.sample(
        new NodeSample("n0", NOW + 5, NOW + 35, 5, Double.NaN, Double.NaN, Double.NaN), NOW + 36);
    return state.measuredCpuWithout("n0", order, NOW + 36, 30);
  }
}
