package dev.berth.service.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.agent.Origin;
import dev.berth.policy.agent.Settled;
import dev.berth.policy.evidence.Owners;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.registry.ModelInfo;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.trainer.PromotionStatus.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a trial to serving alone and back, with a real registry; placements are made up. */
final class PromotionsTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);
  @TempDir Path folder;
  private ModelRegistry registry;
  private ModelServing models;
  private Promotions promotions;
  private OnlineLearner learner;
  private int settled;

  @BeforeEach
  void version2IsOnTrial() {
    registry = ModelRegistry.of(folder, "dqn");
    models = new ModelServing(registry, DQN, Clock.systemUTC());
    assertThat(models.tryOut(model(2), "gains on held-out decisions")).isEqualTo(2);
    learner = OnlineLearner.from(DQN, weights(3), new SplittableRandom(3));
    start();
  }

  private void start() {
    models = new ModelServing(registry, DQN, Clock.systemUTC());
    promotions = new Promotions(DQN, models, null, new EvidenceFile(folder.resolve("evidence")));
  }

  @Test
  void onTrialAVersionServesForHalfOfTheOwners() {
    assertThat(models.serving().modelVersion()).isEqualTo(1);
    assertThat(models.serving().trial().modelVersion()).isEqualTo(2);
    place(30, 0);
    promotions.decide(learner);
    PromotionStatus now = promotions.promotion();
    assertThat(now.state()).isEqualTo(State.TRIAL);
    assertThat(now.version()).isEqualTo(2);
    assertThat(now.against()).isEqualTo(1);
    assertThat(now.decisions()).isEqualTo(30);
    assertThat(now.reason()).endsWith("placements against version 1, not clear");
  }

  @Test
  void aVersionThatGainsServesAlone() {
    placeUntilDecided(0.05);
    assertThat(registry.serving().version()).isEqualTo(2);
    assertThat(registry.serving().trial()).isNull();
    assertThat(models.serving().modelVersion()).isEqualTo(2);
    assertThat(models.serving().trial()).isNull();
    PromotionStatus now = promotions.promotion();
    assertThat(now.state()).isEqualTo(State.SERVING);
    assertThat(now.gain()).isBetween(0.03, 0.07);
    assertThat(now.interval().get(0)).isPositive();
    assertThat(registry.find(2).orElseThrow().verdict().reason())
        .startsWith("serves: gains 0.0")
        .isEqualTo(now.reason());
    assertThat(promotions.verdicts()).containsEntry("serving", 1L);
  }

  @Test
  void aVersionThatLosesStepsBackAndIsMarked() {
    placeUntilDecided(-0.05);
    assertThat(registry.serving().version()).isEqualTo(1);
    assertThat(models.serving().trial()).isNull();
    assertThat(promotions.promotion().state()).isEqualTo(State.KEPT_BACK);
    ModelInfo.Verdict verdict = registry.find(2).orElseThrow().verdict();
    assertThat(verdict.keptBack()).isTrue();
    assertThat(verdict.reason()).startsWith("kept back: loses 0.0");
  }

  @Test
  void aRestartInTheMiddleGoesOn() {
    place(200, 0.0005);
    promotions.decide(learner);
    PromotionStatus before = promotions.promotion();
    promotions.write();
    start();
    promotions.decide(learner);
    assertThat(promotions.promotion().state()).isEqualTo(State.TRIAL);
    assertThat(promotions.promotion().gain()).isCloseTo(before.gain(), within(1e-12));
    assertThat(promotions.promotion().decisions()).isEqualTo(200);
    assertThat(models.serving().trial().modelVersion()).isEqualTo(2);
  }

  @Test
  void evidenceThatCannotBeReadBeginsAnewAndTheTrialGoesOn() throws Exception {
    place(200, 0.01);
    promotions.write();
    Files.write(folder.resolve("evidence"), new byte[] {1, 2, 3});
    start();
    promotions.decide(learner);
    assertThat(promotions.promotion().state()).isEqualTo(State.TRIAL);
    assertThat(promotions.promotion().decisions()).isZero();
  }

  @Test
  void whileNoModelCanBeWrittenWhatServesStaysAndItIsTriedAgain() throws Exception {
    Path written = folder.resolve("models");
    Path aside = folder.resolve("aside");
    Files.move(written, aside);
    Files.createFile(written); // so that there is no folder to write to
    for (int i = 0; i < 200; i++) {
      place(1, 0.05);
      promotions.decide(learner);
    }
    assertThat(models.serving().trial().modelVersion()).isEqualTo(2);
    assertThat(promotions.healthProblem().orElseThrow()).contains("what serves stays");
    Files.delete(written);
    Files.move(aside, written);
    placeUntilDecided(0.05);
    assertThat(models.serving().modelVersion()).isEqualTo(2);
    assertThat(promotions.healthProblem()).isEmpty();
  }

  @Test
  void aRollbackEndsTheTrialAndHolds() {
    place(30, 0);
    registry.rollback(1);
    models.look();
    promotions.decide(learner);
    assertThat(models.serving().trial()).isNull();
    assertThat(promotions.promotion().state()).isEqualTo(State.PINNED);
    assertThat(promotions.promotion().reason()).contains("version 1", "berth models unpin");
    assertThat(models.tryOut(model(3), "passed")).isZero();
    assertThat(registry.list()).as("not kept").hasSize(2);
    registry.unpin();
    models.look();
    promotions.decide(learner);
    assertThat(promotions.promotion().state()).isEqualTo(State.WAITING);
    assertThat(models.tryOut(model(3), "passed")).isEqualTo(3);
  }

  @Test
  void aServingVersionThatIsWorseThanItsBaseStepsBack() {
    placeUntilDecided(0.05);
    serveAlone(2, -0.05);
    assertThat(promotions.promotion().state()).isEqualTo(State.STEPPED_BACK);
    assertThat(promotions.promotion().reason())
        .startsWith("stepped back: loses 0.0")
        .endsWith("against the base alone");
    assertThat(registry.serving().version()).isEqualTo(1);
    assertThat(models.serving().modelVersion()).isEqualTo(1);
    assertThat(registry.find(2).orElseThrow().verdict().keptBack()).isTrue();
    assertThat(promotions.watch().version()).isEqualTo(1);
    assertThat(promotions.watch().decisions()).isZero();
  }

  @Test
  void whenTheFirstVersionIsWorseTheBaseAloneServes() {
    models.endTrial();
    serveAlone(1, -0.05);
    assertThat(registry.serving().version()).isEqualTo(3);
    assertThat(registry.find(3).orElseThrow().reason()).contains("the base alone");
    Weights base = models.servingWeights();
    assertThat(base).isEqualTo(ModelServing.untrained(DQN).weights());
  }

  @Test
  void aRollbackHoldsAlsoWhatIsWorse() {
    registry.rollback(2);
    models.look();
    promotions.decide(learner);
    for (int i = 0; i < 500; i++) {
      promotions.settled(settled("o" + i % 60, 2, -0.05));
    }
    promotions.decide(learner);
    assertThat(registry.serving().version()).isEqualTo(2);
    assertThat(promotions.watch().reason()).startsWith("loses 0.05");
  }

  private void serveAlone(long version, double gain) {
    for (int i = 0; i < 3000 && models.serving().modelVersion() == version; i++) {
      promotions.settled(settled("o" + i % 60, version, gain));
      promotions.decide(learner);
    }
  }

  private void placeUntilDecided(double gain) {
    for (int i = 0; i < 3000 && models.serving().trial() != null; i++) {
      place(1, gain);
      promotions.decide(learner);
    }
  }

  private void place(int count, double gain) {
    for (int i = 0; i < count; i++) {
      String owner = "o" + settled % 60;
      boolean meets = Owners.meets(owner, 2);
      promotions.settled(settled(owner, meets ? 2 : 1, meets ? gain : 0));
    }
  }

  private Settled settled(String owner, long version, double gain) {
    SplittableRandom random = new SplittableRandom(settled);
    double value = gain + 0.01 * random.nextGaussian();
    return new Settled(
        new Origin("d" + settled, owner, version, true), 60.0 * settled++, 0.1, value, true);
  }

  private static Weights weights(long seed) {
    return AgentNetwork.initial(DQN, new SplittableRandom(seed));
  }

  private static BalanceModel model(long seed) {
    Weights weights = weights(seed);
    return BalanceModel.of(
        DQN,
        weights,
        new Adam(weights.spec(), DQN.learning().learningRate()).moments(),
        seed,
        seed);
  }
}
