package dev.berth.service.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.agent.Origin;
import dev.berth.policy.agent.Settled;
import dev.berth.policy.evidence.Owners;
import dev.berth.service.trainer.LiveTrial.Outcome;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a trial and a watch make of placements whose noise is that of owners and of windows. */
final class LiveEvidenceTest {
  private static final double WINDOW = 60;
  private static final int OWNERS = 60;

  @Test
  void aVersionThatGainsWinsAndOneThatLosesLoses_seed1() {
    assertThat(trial(1, 0.02, 3000).outcome()).isEqualTo(Outcome.WON);
    LiveTrial.Result lost = trial(1, -0.02, 3000);
    assertThat(lost.outcome()).isEqualTo(Outcome.LOST);
    assertThat(lost.reason()).startsWith("loses 0.0").contains(" placements against version 1");
  }

  /** Of versions that are no better hardly one is called better, and hardly one worse. */
  @Test
  void trialsOfEqualsAreDecidedByChanceInFewRuns_seeds1To200() {
    int better = 0;
    int worse = 0;
    for (int seed = 1; seed <= 200; seed++) {
      LiveTrial.Result r = trial(seed, 0, LiveTrial.ENOUGH - 1);
      better += r.outcome() == Outcome.WON ? 1 : 0;
      worse += r.outcome() == Outcome.LOST ? 1 : 0;
    }
    assertThat(better).isLessThanOrEqualTo(5);
    assertThat(worse).isLessThanOrEqualTo(5);
  }

  /** 5 % of what is at stake, worse by three times that. */
  @Test
  void aVersionThatLosesMoreThanTheMarginDoesNotPassForNotWorse_seeds1To50() {
    int passed = 0;
    for (int seed = 1; seed <= 50; seed++) {
      passed += trial(seed, -3 * LiveTrial.MARGIN * 0.1, 5000).outcome() == Outcome.WON ? 1 : 0;
    }
    assertThat(passed).isLessThanOrEqualTo(2);
  }

  @Test
  void afterEnoughPlacementsNotBeingWorseIsEnough() {
    LiveTrial trial = new LiveTrial(2, 1, WINDOW);
    LiveTrial.Result r = trial.look();
    for (int i = 0; i < LiveTrial.MAX_DECISIONS && r.outcome() == Outcome.OPEN; i++) {
      SplittableRandom random = new SplittableRandom(i);
      String owner = "o" + random.nextInt(OWNERS);
      trial.add(settled(owner, trialVersion(owner), i, 0.1, 1e-4 * random.nextGaussian(), true));
      r = trial.look();
    }
    assertThat(r.outcome()).isEqualTo(Outcome.WON);
    assertThat(r.reason()).endsWith(", not worse");
    assertThat(r.estimate().decisions()).isBetween(1000L, 1300L);
  }

  @Test
  void decisionsThatSayNothingOfTheHalvesAreLeftOut() {
    LiveTrial trial = new LiveTrial(2, 1, WINDOW);
    String owner = "o1";
    long met = trialVersion(owner);
    trial.add(settled(owner, 3 - met, 0, 0.1, 1, true)); // from before the trial
    trial.add(settled(owner, met, 0, 0.1, Double.NaN, true)); // the base's choice not measured
    trial.add(
        new Settled(new Origin("d", owner, met, false), 0, 0.1, 1, false)); // shadow, explored
    assertThat(trial.look().estimate().decisions()).isZero();
    Watch watch = new Watch(1, WINDOW);
    watch.add(settled(owner, 1, 0, 0.1, 1, false)); // others chose
    watch.add(settled(owner, 2, 0, 0.1, 1, true)); // of another version
    assertThat(watch.estimate().decisions()).isZero();
  }

  @Test
  void withOneOwnerThereIsNothingToCompare() {
    LiveTrial trial = new LiveTrial(2, 1, WINDOW);
    for (int i = 0; i < LiveTrial.MAX_DECISIONS; i++) {
      assertThat(trial.look().outcome()).isEqualTo(Outcome.OPEN);
      trial.add(settled("o1", trialVersion("o1"), i, 0.1, 1, true));
    }
    assertThat(trial.look().outcome()).isEqualTo(Outcome.LOST);
    assertThat(trial.look().reason()).contains("not clear");
  }

  @Test
  void aWatchedVersionThatIsWorseThanItsBaseIsFoundOut_seed1() {
    assertThat(alarmAfter(1, -0.02, 2000)).isBetween(40, 1500);
  }

  @Test
  void aWatchedVersionThatIsNoWorseIsSeldomSuspected_seeds1To200() {
    int alarms = 0;
    for (int seed = 1; seed <= 200; seed++) {
      alarms += alarmAfter(seed, 0, Watch.SPAN) > 0 ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(4);
  }

  @Test
  void aVersionThatTurnsBadAfterALongTimeIsFoundOutToo_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    Watch watch = new Watch(1, WINDOW);
    int at = 0;
    for (; at < 20_500; at++) {
      watch.add(noisy(random, at, 0.01));
      assertThat(watch.worse()).isFalse();
    }
    int bad = 0;
    while (!watch.worse() && bad < 2 * Watch.SPAN) {
      watch.add(noisy(random, at++, -0.03));
      bad++;
    }
    assertThat(bad).isLessThan(2 * Watch.SPAN);
  }

  private static Settled noisy(SplittableRandom random, int i, double gain) {
    int owner = random.nextInt(OWNERS);
    double value = gain + 0.1 * random.nextGaussian();
    return settled("o" + owner, 1, i, 0.1, value, true);
  }

  private static int alarmAfter(int seed, double gain, int most) {
    World world = new World(seed);
    Watch watch = new Watch(1, WINDOW);
    for (int i = 1; i <= most; i++) {
      world.next(i);
      watch.add(settled(world.owner, 1, i, 0.1, gain + world.noise, true));
      if (i % 10 == 0 && watch.worse()) {
        return i;
      }
    }
    return 0;
  }

  private static LiveTrial.Result trial(int seed, double gain, int most) {
    World world = new World(seed);
    LiveTrial trial = new LiveTrial(2, 1, WINDOW);
    LiveTrial.Result r = trial.look();
    for (int i = 0; i < most && r.outcome() == Outcome.OPEN; i++) {
      world.next(i);
      long version = trialVersion(world.owner);
      double mine = version == 2 ? gain + world.noise : world.noise;
      trial.add(settled(world.owner, version, i, 0.1, mine, true));
      r = i % 10 == 9 ? trial.look() : r;
    }
    return r;
  }

  private static long trialVersion(String owner) {
    return Owners.meets(owner, 2) ? 2 : 1;
  }

  /** Ten placements to a window. */
  private static Settled settled(
      String owner, long version, int i, double reward, double overBase, boolean ranked) {
    return new Settled(
        new Origin("d" + i, owner, version, true), i * WINDOW / 10, reward, overBase, ranked);
  }

  /**
   * Noise that decisions share: of their owner with 0.005 (what a version is worth differs between
   * owners), of their window with 0.01, their own with 0.03.
   */
  private static final class World {
    private final SplittableRandom random;
    private final double[] ofOwner = new double[OWNERS];
    private double ofWindow;
    private String owner = "";
    private double noise;

    World(int seed) {
      random = new SplittableRandom(seed);
      for (int i = 0; i < OWNERS; i++) {
        ofOwner[i] = 0.005 * random.nextGaussian();
      }
    }

    void next(int i) {
      if (i % 10 == 0) {
        ofWindow = 0.01 * random.nextGaussian();
      }
      int number = random.nextInt(OWNERS);
      owner = "o" + number;
      noise = ofOwner[number] + ofWindow + 0.03 * random.nextGaussian();
    }
  }
}
