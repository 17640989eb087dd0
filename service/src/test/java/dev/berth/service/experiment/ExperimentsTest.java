package dev.berth.service.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.evidence.Slots.Arm;
import dev.berth.policy.heuristic.Policies;
import dev.berth.service.scoring.Serving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What serves while an experiment runs, and what becomes of it. */
class ExperimentsTest {
  private static final double SLOT = 600;
  private static final Serving DQN = new Serving(policy("random"), 7);

  @TempDir Path folder;
  private double now = 10_000;
  private ExperimentFiles files;
  private Experiments experiments;
  private @Nullable Serving serves;
  private final Plan plan = new Plan("base", "dqn@7", SLOT, 200, 5, now, null);

  private static dev.berth.policy.Policy policy(String name) {
    return Policies.byName(name, new SplittableRandom(0));
  }

  @BeforeEach
  void begin() {
    files = new ExperimentFiles(folder);
    restart();
  }

  private void restart() {
    Serving configured = new Serving(policy("least-allocated"), 3);
    experiments =
        new Experiments(
            files,
            new Arms("dqn", ExperimentsTest::version),
            configured,
            s -> serves = s,
            () -> now);
    experiments.look();
  }

  private static Serving version(long version) {
    if (version != 7) {
      throw new IllegalArgumentException("no model version " + version);
    }
    return DQN;
  }

  /** Plays slots in which B is worse by a share. */
  private void play(int slots, double worse) {
    for (double end = now + slots * SLOT; now < end; now += 50) {
      experiments.look();
      boolean b = plan.slots().arm(plan.slots().slot(now)) == Arm.B;
      double spread = 0.1 + 0.001 * Math.sin(now);
      experiments.measured(new double[] {spread * (b ? 1 + worse : 1), 0, 0.02});
    }
  }

  private String name() {
    return serves == null ? "" : serves.policy().name();
  }

  @Test
  void whatServesByTurnsIsAnArmAndWhatIsConfiguredIsNone() {
    files.plan(plan);
    experiments.look();
    assertThat(serves).matches(Serving::arm);
    files.plan(plan.stoppedAt(now));
    experiments.look();
    assertThat(serves).matches(s -> !s.arm());
  }

  @Test
  void withoutOneWhatIsConfiguredServesAndFollowsItsPromotions() {
    assertThat(name()).isEqualTo("least-allocated");
    experiments.configured(new Serving(policy("default"), 4));
    assertThat(name()).isEqualTo("default");
  }

  @Test
  void theArmsServeByTheTimetableAndAPromotionWaitsUntilItIsStopped() {
    files.plan(plan);
    for (int slot = 0; slot < 8; slot++, now += SLOT) {
      experiments.look();
      boolean a = plan.slots().arm(slot) == Arm.A;
      assertThat(name()).isEqualTo(a ? "predict-then-greedy" : "random");
      experiments.configured(new Serving(policy("default"), 4));
      assertThat(name()).isNotEqualTo("default");
    }
    files.plan(plan.stoppedAt(now));
    experiments.look();
    assertThat(name()).isEqualTo("default");
  }

  @Test
  void atHarmItGoesBackToAForGoodAndSaysSo() {
    files.plan(plan);
    play(60, 0.5);
    int pairs = files.measured(plan).pairs().size();
    assertThat(pairs).isLessThan(25);
    assertThat(ExperimentReport.status(plan, files.measured(plan), now)).contains("B does harm");
    restart();
    for (int slot = 0; slot < 6; slot++, now += SLOT) {
      experiments.look();
      assertThat(name()).isEqualTo("predict-then-greedy");
    }
    play(6, 0.5);
    assertThat(files.measured(plan).pairs()).hasSize(pairs);
  }

  @Test
  void pairsOfBeforeARestartCountOnAndTheTimetableIsTheSame() {
    files.plan(plan);
    play(11, 0);
    restart();
    play(10, 0);
    assertThat(files.measured(plan).pairs())
        .as("the pair in which it was restarted is lost or whole, no other")
        .hasSizeBetween(9, 10);
    assertThat(ExperimentReport.lines(plan, files.measured(plan)).get(0))
        .startsWith("spread of CPU usage")
        .contains("B ", "% against A (", "would be seen after");
  }

  @Test
  void anArmThatIsGoneLeavesWhatIsConfiguredServingAndIsAWarning() {
    files.plan(new Plan("base", "dqn@8", SLOT, 200, 5, now, null));
    experiments.look();
    assertThat(name()).isEqualTo("least-allocated");
    assertThat(experiments.healthProblem().orElseThrow())
        .contains("no model version 8", "berth ab stop");
    files.plan(plan);
    experiments.look();
    assertThat(experiments.healthProblem()).isEmpty();
    assertThat(name()).isNotEqualTo("least-allocated");
  }

  @Test
  void damagedFilesLeaveWhatIsConfiguredServingUntilTheyAreSetAside() throws IOException {
    files.plan(plan);
    play(3, 0);
    for (String file : List.of("experiment.json", "experiment-pairs.json")) {
      Files.writeString(folder.resolve(file), "{");
      restart();
      assertThat(name()).isEqualTo("least-allocated");
      assertThat(experiments.healthProblem().orElseThrow()).contains(file, "berth ab stop");
      assertThat(files.setDamagedAside()).containsExactly(folder.resolve(file + ".damaged"));
      experiments.look();
      assertThat(experiments.healthProblem()).isEmpty();
      files.plan(plan);
    }
    experiments.look();
    assertThat(experiments.running()).isTrue();
  }

  @Test
  void aPlanDamagedWhileItRunsLeavesWhatIsConfiguredServing() throws IOException {
    files.plan(plan);
    experiments.look();
    assertThat(name()).isNotEqualTo("least-allocated");
    Files.writeString(folder.resolve("experiment.json"), "{");
    experiments.look();
    assertThat(name()).isEqualTo("least-allocated");
    assertThat(experiments.running()).isFalse();
  }

  @Test
  void withoutRoomForItsPairsAnExperimentGoesOnAndIsAWarning() throws IOException {
    files.plan(plan);
    experiments.look();
    Path inTheWay = Files.createDirectories(folder.resolve("experiment-pairs.json/full"));
    play(4, 0);
    assertThat(experiments.healthProblem().orElseThrow()).contains("lost with a restart");
    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    play(4, 0);
    assertThat(experiments.healthProblem()).isEmpty();
    assertThat(files.measured(plan).pairs()).as("those from before count").hasSize(3);
  }

  @Test
  void anotherExperimentBeginsWithoutThePairsOfTheFormer() {
    files.plan(plan);
    play(10, 0);
    assertThat(files.measured(plan).pairs()).isNotEmpty();
    Plan next = new Plan("base", "dqn@7", SLOT, 200, 6, now, null);
    assertThat(files.measured(next).pairs()).isEmpty();
  }
}
