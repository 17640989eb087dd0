package dev.berth.service.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.recording.Entry.Question;
import dev.berth.service.scoring.Draw;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.ScoreRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What served puts n0 first, and drew n1 instead in every fourth decision, as often as it says; the
 * other policy always wants n1. The forecast thinks n0 better, and is wrong.
 */
class OffPolicyTest {
  private static final String[] NODES = {"n0", "n1", "n2", "n3"};
  private static final double CORES = 64;
  private static final double[] USED_BEFORE = {8, 10, 28, 36};

  /** Share of n0 and n1 that is used five minutes later. */
  private static final double[] USED_THEN = {0.4, 0.1};

  private static final double[] PROBABILITY = {0.75, 0.25};
  private static final int[] NEAR = {0, 1};
  private static final double BEGIN = 1_700_000_000;

  private final Replay replay =
      new Replay(
          new Entry.Start(
              Entry.SCHEMA, "test", BEGIN, "dqn", UsageConfig.DEFAULT, new byte[0], List.of()),
          UsageConfig.DEFAULT);
  private final OffPolicy came = new OffPolicy();
  private double[] preferences = {0, 1, 0, 0};
  private double every = 225;
  private double truth;
  private double byForecast;

  /** Decisions of seven owners: 160 of them take ten hours. */
  private String decide(int decisions) {
    replay.feed(
        Entry.of(
            new Entry.Sized(BEGIN, Map.of("n0", CORES, "n1", CORES, "n2", CORES, "n3", CORES))));
    for (int i = 0; i < decisions; i++) {
      double at = BEGIN + every * (i + 1);
      observe(at - 1);
      int taken = i % 4 == 3 ? 1 : 0;
      Pod pod = Pod.of("pod-" + i, "default/Deployment/app-" + i % 7, 1_000, 1 << 28);
      Question question =
          new Question(
              at,
              new ScoreRequest("d" + i, "test", Mode.ACTIVE, pod, Given.nodes(NODES)),
              new double[NODES.length],
              new double[NODES.length],
              new Draw(taken == 0 ? -1 : taken, PROBABILITY[taken], NEAR),
              1);
      replay.feed(Entry.of(question));
      came.decided(question, NODES[taken], 0, preferences, replay);
      count(replay.forecast(question), decisions);
      came.measured(new Measured("d" + i, i, at + 300, USED_THEN[taken], USED_THEN[taken]));
    }
    return came.words();
  }

  private void observe(double at) {
    List<NodeSample> samples = new ArrayList<>();
    for (int n = 0; n < NODES.length; n++) {
      samples.add(
          new NodeSample(NODES[n], at - 15, at, USED_BEFORE[n], 1e9, Double.NaN, Double.NaN));
    }
    replay.feed(Entry.of(new Entry.Samples(at, samples)));
  }

  /**
   * Of two nodes far from their limits a pod costs more by its size times how much fuller one is.
   */
  private void count(Forecast forecast, int decisions) {
    int h = Arrays.binarySearch(forecast.horizons(), Measured.AFTER_SECONDS);
    double[] expected = forecast.before()[h];
    double each = forecast.podCores()[h] / CORES / PlacementCost.spread(expected) / decisions;
    truth += 1000 * each * (USED_THEN[0] - USED_THEN[1]);
    byForecast += 1000 * each * (expected[0] - expected[1]);
  }

  @Test
  void whatItSaysIsRightWhereTheForecastIsNot() {
    String words = decide(160);
    assertThat(byForecast).isNegative();
    Matcher said = Pattern.compile("it gains ([-+.0-9]+) a pod").matcher(words);
    assertThat(said.find()).as(words).isTrue();
    assertThat(Double.parseDouble(said.group(1)))
        .as("%s; by the forecast %f", words, byForecast)
        .isCloseTo(truth, withinPercentage(1));
    assertThat(words)
        .contains("of 160 decisions in which it puts another first 160 could have been drawn so")
        .contains("160 of them were measured, worth 40.0 of its own");
  }

  @Test
  void worthLessThanTwentyItSaysNothingHoweverLongItTook() {
    every = 600;
    assertThat(decide(76)).contains("worth 19.0 of its own, want 20").doesNotContain("it gains");
  }

  @Test
  void ofTooFewHoursItSaysNothingHoweverManyDecisions() {
    every = 45;
    assertThat(decide(160))
        .contains("worth 40.0 of its own, want 20 over six hours or more")
        .doesNotContain("it gains");
  }

  @Test
  void whatTiesWithTheServedIsNoOtherChoice() {
    preferences = new double[] {1, 1 + 1e-12, 0, 0};
    assertThat(decide(160)).contains("in 160 decisions it puts first what did come first");
  }
}
