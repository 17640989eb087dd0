package dev.berth.policy.predict;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.ForecastErrors.Accuracy;
import dev.berth.policy.state.ClusterState;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Forecasts against what samples show later. */
final class CalibrationTest {
  private static final double CORES = 64;
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final ClusterState state = state();

  @Test
  void aRightSpreadHoldsFourFifthsOfTheOutcomesAndAWrongOneDoesNot_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    ForecastErrors right = new ForecastErrors();
    ForecastErrors tooSmall = new ForecastErrors();
    ForecastErrors tooLarge = new ForecastErrors();
    for (int i = 0; i < 20_000; i++) {
      double error = 0.01 + 0.05 * random.nextGaussian();
      right.add(error, 0.05);
      tooSmall.add(error, 0.01);
      tooLarge.add(error, 0.2);
    }
    Accuracy a = right.accuracy();
    assertThat(a.outcomes()).isEqualTo(20_000);
    assertThat(a.bias()).isCloseTo(0.01, within(0.001));
    assertThat(a.rmse()).isCloseTo(Math.hypot(0.01, 0.05), within(0.001));
    assertThat(a.inside()).isCloseTo(0.79, within(0.01));
    assertThat(tooSmall.accuracy().inside()).isLessThan(0.25);
    assertThat(tooLarge.accuracy().inside()).isGreaterThan(0.99);
    // What the spread should have been does not depend on what was stated.
    for (ForecastErrors e : new ForecastErrors[] {right, tooSmall, tooLarge}) {
      assertThat(e.accuracy().calibratedSpread()).isCloseTo(0.051, within(0.002));
    }
  }

  @Test
  void runsCanBePooledAndWithoutOutcomesNothingIsClaimed() {
    ForecastErrors a = new ForecastErrors();
    assertThat(a.accuracy().outcomes()).isZero();
    assertThat(a.accuracy().inside()).isNaN();
    assertThat(a.accuracy().calibratedSpread()).isNaN();
    ForecastErrors b = new ForecastErrors();
    a.add(0.02, 0.05);
    b.add(0.10, 0.05);
    a.addAll(b);
    assertThat(a.accuracy().bias()).isCloseTo(0.06, within(1e-12));
    assertThat(a.accuracy().inside()).isEqualTo(0.5);
  }

  /** Errors of 0.05 at first would have been too wide, of 0.12 too narrow. */
  @Test
  void whatIsStatedBecomesWhatHoldsFourFifthsAndFollowsWhenErrorsGrow_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    LearnedSpread learned = new LearnedSpread(0.05);
    assertThat(learned.spread(0.5)).isCloseTo(0.05, within(0.0005));
    for (double std : new double[] {0.02, 0.12}) {
      int inside = 0;
      for (int minute = 0; minute < 24 * 60; minute++) {
        double now = 86_400 * (std > 0.05 ? 1 : 0) + 60 * minute;
        double stated = learned.spread(0.5);
        for (int node = 0; node < 10; node++) {
          double error = std * random.nextGaussian();
          boolean settled = minute >= 6 * 60;
          inside += settled && Math.abs(error) <= ForecastErrors.Z80 * stated ? 1 : 0;
          learned.add(error, 0.5, now);
        }
      }
      assertThat(inside / 10_800.0).isBetween(0.75, 0.85);
      assertThat(learned.spread(0.5)).isCloseTo(std, within(0.1 * std));
    }
  }

  /** A node fills up within the time in which old errors still count. */
  @Test
  void aBusyNodeIsGrantedMoreThanTheIdleOneThatTaught_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    LearnedSpread learned = new LearnedSpread(0.05);
    for (int minute = 0; minute < 6 * 60; minute++) {
      learned.add(0.02 * random.nextGaussian(), 0.1, 60 * minute);
    }
    assertThat(learned.spread(0.1)).isCloseTo(0.02, within(0.002));
    assertThat(learned.spread(0.7)).isCloseTo(0.08, within(0.008)); // (0.7 + 0.1) / (0.1 + 0.1)
  }

  @Test
  void afterAQuietWeekTheFirstErrorDoesNotSpeakAlone_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    LearnedSpread learned = new LearnedSpread(0.05);
    for (int minute = 0; minute < 6 * 60; minute++) {
      learned.add(0.08 * random.nextGaussian(), 0.5, 60 * minute);
    }
    double before = learned.spread(0.5);
    learned.add(0.001, 0.5, 7 * 86_400);
    assertThat(learned.spread(0.5)).isCloseTo(before, within(0.1 * before));
    for (int i = 1; i < 100; i++) {
      learned.add(0.001, 0.5, 7 * 86_400 + 60 * i);
    }
    assertThat(learned.spread(0.5)).isLessThan(0.1 * before);
  }

  @Test
  void aForecastIsHeldToWhatItStatedNotToWhatWasLearnedSince() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, NEVER);
    for (double t = 7200; t < 7200 + 1000; t += 30) {
      calibration.decided(decision(t, c, state));
      state.sample(cpu("node-0", t, t + 30, t < 7300 ? 16 : 30), t + 35);
      calibration.check(t + 35, state);
    }
    Accuracy soon = calibration.errors().get(0).accuracy();
    assertThat(soon.outcomes()).isGreaterThan(5);
    assertThat(soon.calibratedSpread()).isGreaterThan(0.1);
    assertThat(soon.inside()).isLessThan(0.5); // though the spread of now would hold them
    double[][] half = {{0.5}, {0.5}, {0.5}, {0.5}};
    assertThat(calibration.spreads(half)[0][0]).isGreaterThan(0.05);
    assertThat(calibration.spreads(half)[3][0]).isCloseTo(0.05, within(0.0005));
  }

  @Test
  void forecastsOfTheWarmUpTeachTheSpreadAndDoNotCount() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, NEVER, 7230);
    for (double t = 7200; t < 7200 + 600; t += 30) {
      if (t < 7300) {
        calibration.decided(decision(t, c, state));
      }
      state.sample(cpu("node-0", t, t + 30, 16), t + 35);
      calibration.check(t + 35, state);
    }
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isEqualTo(1); // of two forecasts
  }

  /** One node with ten pods of an owner, in the scheduler's columns as in the cluster state. */
  private Candidates busy() {
    Candidates c = nodes(1, 64_000);
    for (int i = 0; i < 10; i++) {
      state.podBound(pod("web-" + i, "web", 2000), "node-0", 0);
    }
    c.cpuRequestedMilli()[0] = 20_000;
    state.deciding(c, 0);
    return c;
  }

  /** Feeds the node a steady usage, sampled every half minute, until a point in time. */
  private void samples(double from, double to, double cores) {
    for (double t = from; t < to; t += 30) {
      state.sample(cpu("node-0", t, t + 30, cores), t + 35);
    }
  }

  private static Decision decision(double now, Candidates c, ClusterState state) {
    return new Decision(now, pod("new", "other", 1000), c, state);
  }

  @Test
  void aNodeThatKeepsToTheForecastHasNoErrorAtAnyHorizon() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, NEVER);
    calibration.decided(decision(7200, c, state));
    double until = 7200 + 3000 + 60;
    for (double t = 7200; t < until; t += 30) {
      state.sample(cpu("node-0", t, t + 30, 16), t + 35);
      calibration.check(t + 35, state);
    }
    for (ForecastErrors e : calibration.errors()) {
      assertThat(e.accuracy().outcomes()).isEqualTo(1);
      assertThat(e.accuracy().bias()).isCloseTo(0, within(0.01));
      assertThat(e.accuracy().inside()).isEqualTo(1);
    }
  }

  @Test
  void aRiseThatNobodyForesawIsBiasAtTheHorizonsThatSawIt() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, NEVER);
    calibration.decided(decision(7200, c, state));
    for (double t = 7200; t < 7200 + 1000; t += 30) {
      state.sample(cpu("node-0", t, t + 30, t < 7700 ? 16 : 32), t + 35);
      calibration.check(t + 35, state);
    }
    assertThat(calibration.errors().get(0).accuracy().bias()).isCloseTo(0, within(0.01));
    assertThat(calibration.errors().get(1).accuracy().bias()).isCloseTo(16 / CORES, within(0.01));
    assertThat(calibration.errors().get(1).accuracy().inside()).isZero();
    assertThat(calibration.errors().get(2).accuracy().outcomes()).isZero();
  }

  @Test
  void whatLaterBindsBroughtIsNoErrorOfTheForecast() {
    Candidates c = busy();
    samples(60, 7200, 10); // the owner's ratio of usage to request is learned to be one half
    Calibration calibration = new Calibration(0.05, NEVER);
    calibration.decided(decision(7200, c, state));
    for (int i = 10; i < 20; i++) {
      state.podBound(pod("web-" + i, "web", 2000), "node-0", 7200);
    }
    for (double t = 7200; t < 7200 + 400; t += 30) {
      state.sample(cpu("node-0", t, t + 30, 20), t + 35);
      calibration.check(t + 35, state);
    }
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isEqualTo(1);
    assertThat(calibration.errors().get(0).accuracy().bias()).isCloseTo(0, within(0.03));
  }

  @Test
  void unknownIsNeitherRightNorWrong() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, NEVER);
    calibration.decided(decision(7200, c, state));
    calibration.check(7200 + 345, state); // the last sample is five minutes old
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isZero();
    calibration.decided(decision(7600, c, state));
    samples(7600, 7950, 64);
    calibration.check(7950, state); // a node at its capacity hides what was wanted
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isZero();
    calibration.decided(decision(8000, c, state));
    samples(8000, 8900, 16);
    calibration.check(8900, state); // ten minutes late: another horizon
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isZero();
  }

  @Test
  void ofALargeClusterSomeNodesStandForAll() {
    Candidates c = nodes(1001, 64_000);
    c.cpuRequestedMilli()[1000] = 7;
    assertThat(c.every(500).names()).containsExactly("node-0", "node-500", "node-1000");
    assertThat(c.every(500).cpuRequestedMilli()).containsExactly(0, 0, 7);
    Calibration calibration = new Calibration(0.05, NEVER);
    calibration.decided(decision(0, c, state));
    for (String name : c.names()) {
      state.sample(cpu(name, 300, 330, 1), 335);
    }
    calibration.check(345, state);
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isEqualTo(167); // every sixth
  }

  @Test
  void oneForecastAMinuteIsKeptAndOldOutcomesFade() {
    Candidates c = busy();
    samples(60, 7200, 16);
    Calibration calibration = new Calibration(0.05, 600);
    for (double t = 7200; t < 7260; t += 10) {
      calibration.decided(decision(t, c, state));
    }
    samples(7200, 7560, 16);
    calibration.check(7560, state);
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isEqualTo(1);
    calibration.decided(decision(7800, c, state));
    samples(7560, 8160, 16);
    calibration.check(8160, state);
    assertThat(calibration.errors().get(0).accuracy().outcomes()).isCloseTo(1.5, within(1e-9));
  }
}
