package dev.berth.service.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.OpenDecision;
import dev.berth.policy.agent.Origin;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.store.StoredDecision;
import dev.berth.service.task.Tasks;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real trainer with a real scorer and store; the test moves the clock. */
@Timeout(120)
class TrainerTest {
  private static final ServiceConfig CONFIG =
      ConfigLoader.load(
          null, Map.of("BERTH_TRAINER_LEARNING_STARTS", "1", "BERTH_SCORING_EXPLORE", "0"));
  private static final AgentConfig DQN =
      AgentConfig.defaults(AgentKind.DQN)
          .with(
              p -> {
                p.settleSeconds = 60;
                p.windowSeconds = 120;
                p.learningStarts = 1;
              });
  private static final long START = 1_000_000;
  @TempDir Path folder;
  private final List<DecisionRecord> records = new ArrayList<>();
  private volatile Clock now = Clock.fixed(Instant.ofEpochSecond(START), ZoneOffset.UTC);

  /** As far as the test has moved it. */
  private final Clock clock = ((InstantSource) () -> now.instant()).withZone(ZoneOffset.UTC);

  private SqliteStore store;
  private ModelServing models;
  private final Tasks tasks = new Tasks(task -> () -> {});
  private SharedState shared;
  private Scorer scorer;
  private Trainer trainer;

  @BeforeEach
  void start() {
    ServiceMetrics metrics = new ServiceMetrics();
    store = SqliteStore.open(CONFIG.store(), folder.resolve("db"), clock, tasks);
    models = new ModelServing(ModelRegistry.of(folder, "dqn"), DQN, Clock.systemUTC());
    shared = new SharedState(new ClusterState(UsageConfig.DEFAULT), clock);
    scorer =
        new Scorer(
            CONFIG.scoring(),
            models.serving(),
            shared,
            new NodeTable(),
            metrics,
            "test",
            new ScorerSink() {
              @Override
              public void decided(DecisionRecord decision) {
                records.add(decision);
                store.decided(decision);
                trainer.decided(decision);
              }

              @Override
              public void happened(List<OutcomeEvent> events) {
                trainer.happened(events);
              }

              @Override
              public void measured(List<Measured> measured) {}

              @Override
              public void forgotten(List<String> podUids) {}
            },
            Runnable::run);
    trainer =
        new Trainer(
                CONFIG.trainer(),
                DQN,
                shared,
                models,
                store,
                UnaryOperator.identity(),
                folder.resolve("learner"),
                tasks)
            .start();
    score("names-the-nodes", Mode.ACTIVE);
    records.clear();
  }

  @AfterEach
  void stop() {
    trainer.close();
    store.close();
  }

  @Test
  void theRewardIsThatOfTheNodeThePodWasBoundTo() throws Exception {
    runs10And20And30Cores();
    assertThat(score("own", Mode.ACTIVE)[0]).isEqualTo(100);
    bind("own", 2, 0);
    measure(10, 20, 32);
    assertThat(rewarded("own").reward()).as("n0 would have earned it a positive one").isNegative();
  }

  @Test
  void aShadowIsLearnedFromWithTheNodeThatOthersChose() throws Exception {
    runs10And20And30Cores();
    assertThat(score("shadow", Mode.SHADOW)[0]).isEqualTo(100);
    bind("shadow", 2, 0);
    measure(10, 20, 32);
    assertThat(rewarded("shadow").reward()).isNegative();
  }

  @Test
  void aCanaryIsLearnedFromLikeAnActiveDecision() throws Exception {
    runs10And20And30Cores();
    score("canary", Mode.CANARY);
    bind("canary", 2, 0);
    measure(10, 20, 32);
    assertThat(rewarded("canary").reward()).isNegative();
    assertThat(trainer.watch().decisions()).as("it went where others wanted it").isZero();
  }

  @Test
  void onlyWhatTheVersionChoseIsHeldAgainstItsBase() throws Exception {
    runs10And20And30Cores();
    score("shadow", Mode.SHADOW); // all three as things were before the first came
    score("overridden", Mode.ACTIVE);
    score("followed", Mode.ACTIVE);
    bind("shadow", 0, 0);
    bind("overridden", 2, 0);
    bind("followed", 0, 0);
    measure(10, 20, 32);
    rewarded("followed");
    await(() -> trainer.watch().decisions() > 0);
    assertThat(trainer.watch().decisions()).isEqualTo(1);
    assertThat(trainer.watch().gain()).as("chose as its base would").isZero();
  }

  @Test
  void whatAnArmOfAnExperimentChoseIsNotHeldAgainstItsBase() throws Exception {
    runs10And20And30Cores();
    scorer.serve(models.serving().asArm());
    score("arm", Mode.ACTIVE);
    scorer.serve(models.serving());
    score("one", Mode.ACTIVE); // both as things were before the first came
    score("two", Mode.ACTIVE);
    bind("arm", 0, 0);
    bind("one", 0, 0);
    bind("two", 0, 0);
    measure(10, 20, 32);
    rewarded("two");
    await(() -> trainer.watch().decisions() > 1);
    assertThat(trainer.watch().decisions()).isEqualTo(2);
  }

  /** As by {@code berth mode active --clip 0}: all versions are the base then. */
  @Test
  void whileTheCorrectionIsLoweredPlacementsSayNothingForAVersionOnTrial() throws Exception {
    models.tryOut(ModelServing.untrained(DQN), "passed");
    scorer.serve(models.serving());
    observe(10, 20, 30);
    for (int i = 0; i < 20; i++) { // all of them as things were before the first came
      String owner = "shop/Pod/web-" + i;
      scorer.score(request("lowered-" + i, owner, Mode.ACTIVE, 0.0));
      scorer.score(request("whole-" + i, owner, Mode.ACTIVE, DQN.correction().clip()));
    }
    for (int i = 0; i < 20; i++) {
      bind("lowered-" + i, 0, 0);
      bind("whole-" + i, 0, 0);
    }
    measure(12, 20, 30);
    rewarded("whole-19");
    await(() -> trainer.promotion().decisions() >= 20);
    assertThat(trainer.promotion().decisions()).isEqualTo(20);
  }

  @Test
  void aTrialScoresForHalfOfTheOwnersAndItsPlacementsAreCompared() throws Exception {
    BalanceModel model = ModelServing.untrained(DQN);
    long version = models.tryOut(model, "passed");
    scorer.serve(models.serving());
    observe(10, 20, 30);
    Map<Boolean, Integer> placed = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      String owner = "shop/Pod/web-" + i;
      ScoreReply reply = reply("pod-" + i, owner, Mode.ACTIVE);
      assertThat(reply("again-" + i, owner, Mode.SHADOW).modelVersion())
          .as("the same for every pod of an owner")
          .isEqualTo(reply.modelVersion());
      placed.merge(reply.modelVersion() == version, 1, Integer::sum);
    }
    for (int i = 0; i < 40; i++) { // all of them placed as things were before the first came
      bind("pod-" + i, 0, 0);
    }
    assertThat(placed.get(true)).isBetween(10, 30);
    measure(12, 20, 30);
    rewarded("pod-39");
    await(() -> trainer.promotion().decisions() == 40);
    assertThat(trainer.promotion().state()).isEqualTo(PromotionStatus.State.TRIAL);
    assertThat(trainer.promotion().gain()).as("both are the base").isZero();
  }

  @Test
  void aDecisionWithoutAnOutcomeTeachesNothing() throws Exception {
    observe(10, 10, 10);
    score("unreserved", Mode.ACTIVE);
    scorer
        .intake()
        .apply(
            List.of(
                new OutcomeEvent(Type.UNRESERVED, START, "unreserved", "unreserved", null, null)));
    score("silent", Mode.ACTIVE);
    score("bound", Mode.ACTIVE);
    bind("bound", 0, 0);
    measure(20, 10, 10);
    rewarded("bound");
    await(() -> trainer.progress().settled() > 0);
    assertThat(trainer.progress().settled()).isEqualTo(1);
    assertThat(trainer.lost()).containsEntry("unreserved", 1L);
  }

  @Test
  void ofDecisionsAboveTheRateASampleIsLearnedFrom() throws Exception {
    observe(10, 10, 10);
    int minute = 60 * CONFIG.trainer().decisionsPerSecond();
    for (int i = 0; i < minute; i++) {
      score("burst-" + i, Mode.ACTIVE);
    }
    long above = trainer.lost().get("above-rate");
    assertThat(above).isBetween(1L, 20L); // start() asked as well; of the last some by lot
    now = Clock.offset(now, Duration.ofSeconds(2));
    score("later", Mode.ACTIVE);
    bind("later", 0, 0);
    measure(20, 10, 10);
    rewarded("later");
    assertThat(trainer.lost()).containsEntry("above-rate", above);
  }

  @Test
  void aPodThatIsTakenBackAgainAndAgainLeavesTheRateToOthers() throws Exception {
    observe(10, 10, 10);
    for (int i = 0; i < 2 * 60 * CONFIG.trainer().decisionsPerSecond(); i++) {
      String pod = "retried-" + i;
      score(pod, Mode.ACTIVE);
      scorer
          .intake()
          .apply(List.of(new OutcomeEvent(Type.UNRESERVED, START, pod, pod, null, null)));
    }
    score("other", Mode.ACTIVE);
    assertThat(trainer.lost()).containsEntry("above-rate", 0L);
    bind("other", 0, 0);
    measure(20, 10, 10);
    rewarded("other");
  }

  @Test
  void aSchedulerWhoseClockIsBehindEarnsTheSameReward() throws Exception {
    observe(10, 10, 10);
    score("a", Mode.ACTIVE);
    bind("a", 0, -0.010); // its own usage must come off its node all the same
    measure(14, 10, 10);
    double behind = rewarded("a").reward();
    stop();
    now = Clock.fixed(Instant.ofEpochSecond(START), ZoneOffset.UTC);
    folder = folder.resolve("second");
    start();
    observe(10, 10, 10);
    score("a", Mode.ACTIVE);
    bind("a", 0, 0.010);
    measure(14, 10, 10);
    assertThat(behind).isEqualTo(rewarded("a").reward());
  }

  @Test
  void whatIsLearnedWasComputedAtTheDecision() {
    observe(10, 12, 14);
    score("first", Mode.ACTIVE);
    DecisionRecord record = records.get(0);
    float[] rows = record.learnable().state().rows().of(new int[] {0, 1, 2}).before();
    double[] forecast = record.learnable().state().forecast().before()[0].clone();
    bind("first", 0, 0);
    observe(50, 1, 1);
    assertThat(record.learnable().state().order()).isZero();
    assertThat(record.learnable().state().rows().all().before()).containsExactly(rows);
    assertThat(record.learnable().state().forecast().before()[0]).containsExactly(forecast);
    assertThat(record.base()).isSameAs(record.learnable().state().base());
  }

  @Test
  void aLearnerThatFailsBeginsAgainWhileTheModelGoesOnServing() throws Exception {
    observe(10, 10, 10);
    score("a", Mode.ACTIVE);
    OpenDecision open = open(records.get(0));
    trainer.bound(open, 99); // no such candidate: it stands for any bug in the learner
    await(() -> trainer.state() == Learner.State.RECOVERING);
    assertThat(trainer.healthProblem().orElseThrow())
        .contains("begins again", "model version 1", "ArrayIndexOutOfBounds");
    assertThat(score("b", Mode.ACTIVE).length).isEqualTo(3);
    await(() -> trainer.state() == Learner.State.ALIVE);
    assertThat(trainer.restarts()).isEqualTo(1);
    bind("b", 0, 0);
    measure(20, 10, 10);
    rewarded("b");
    assertThat(trainer.state()).isEqualTo(Learner.State.ALIVE);
  }

  @Test
  void aLearnerThatCannotBeginAgainTriesLaterAndIsCounted() throws Exception {
    observe(10, 10, 10);
    score("a", Mode.ACTIVE);
    Path checkpoint = folder.resolve("learner");
    try (RandomAccessFile huge = new RandomAccessFile(checkpoint.toFile(), "rw")) {
      huge.setLength(3L << 30); // more than an array holds: an error, not an exception of files
    }
    trainer.bound(open(records.get(0)), 99);
    await(() -> trainer.healthProblem().orElse("").contains("OutOfMemory"));
    assertThat(trainer.state()).isEqualTo(Learner.State.RECOVERING);
    Files.delete(checkpoint);
    await(() -> trainer.state() == Learner.State.ALIVE);
    assertThat(trainer.restarts()).isEqualTo(2);
    score("b", Mode.ACTIVE);
    bind("b", 0, 0);
    measure(20, 10, 10);
    rewarded("b");
  }

  @Test
  void whatWaitsIsBoundedInBytesAndCounted() {
    AwaitingBinds awaiting = new AwaitingBinds(1 << 20, () -> {});
    observe(10, 10, 10);
    score("a", Mode.ACTIVE);
    OpenDecision one = open(records.get(0));
    int fit = (int) ((1 << 20) / one.bytes());
    for (int i = 0; i < fit + 5; i++) {
      awaiting.add(renamed(one, "d" + i), START);
    }
    assertThat(awaiting.size()).isEqualTo(fit);
    assertThat(awaiting.lost()).containsEntry("memory", 5L);
    assertThat(awaiting.bound("d0", "n0")).as("the oldest went").isNull();
    assertThat(awaiting.bound("d5", "n0")).isNotNull();
    assertThat(awaiting.bound("d6", "unknown")).isNull();
    awaiting.add(renamed(one, "d7"), START); // it waited there already
    assertThat(awaiting.lost()).containsEntry("asked-again", 1L);
    awaiting.add(renamed(one, "late"), START + 601);
    assertThat(awaiting.lost())
        .containsEntry("elsewhere", 1L)
        .containsEntry("no-outcome", (long) fit - 2);
    assertThat(awaiting.size()).isEqualTo(1);
  }

  private static OpenDecision renamed(OpenDecision o, String id) {
    return new OpenDecision(
        new Origin(id, o.origin().owner(), 1, true),
        o.order(),
        o.names(),
        o.cpuMilli(),
        o.podCount(),
        o.rows(),
        o.base(),
        o.expected(),
        o.clips(),
        o.load(),
        o.podCores(),
        o.power(),
        o.limits(),
        o.immediateRewards(),
        o.first(),
        o.baseFirst());
  }

  private static OpenDecision open(DecisionRecord record) {
    return OpenDecision.of(
        DQN,
        new Origin(record.request().decision(), record.request().pod().owner(), 1, true),
        record.learnable().candidates(),
        record.learnable().state(),
        record.learnable().preferences(),
        -1,
        UnaryOperator.identity(),
        new SplittableRandom(1));
  }

  private int[] score(String pod, Mode mode) {
    return reply(pod, "shop/Pod/web", mode).scores();
  }

  private ScoreReply reply(String pod, String owner, Mode mode) {
    return scorer.score(request(pod, owner, mode, null));
  }

  private static ScoreRequest request(String pod, String owner, Mode mode, @Nullable Double clip) {
    return new ScoreRequest(
        pod, "test", mode, clip, Pod.of(pod, owner, 4000, 1), Given.nodes(NODES), List.of());
  }

  private static final String[] NODES = {"n0", "n1", "n2"};

  /** Pods of the owner that use half of what they ask for, so that its ratio is known. */
  private void runs10And20And30Cores() throws InterruptedException {
    for (int i = 0; i < 30; i++) {
      bind("before-" + i, i < 5 ? 0 : i < 15 ? 1 : 2, 0);
    }
    measure(10, 20, 30);
    measure(10, 20, 30);
  }

  private void bind(String pod, int node, double clockOffset) {
    scorer
        .intake()
        .apply(
            List.of(
                new OutcomeEvent(
                    Type.BOUND,
                    scorer.now() + clockOffset,
                    pod,
                    pod,
                    NODES[node],
                    Pod.of(pod, "shop/Pod/web", 4000, 1))));
  }

  private void observe(double... cores) {
    List<NodeSample> samples = new ArrayList<>();
    double end = scorer.now();
    for (int i = 0; i < cores.length; i++) {
      samples.add(new NodeSample(NODES[i], end - 30, end, cores[i], 1e9, 5, Double.NaN));
    }
    scorer.intake().observe(samples, (long) end);
  }

  /** Lets three and a half minutes pass with the same usage in every sample. */
  private void measure(double... cores) throws InterruptedException {
    for (int i = 0; i < 7; i++) {
      TimeUnit.MILLISECONDS.sleep(5);
      shared.with(
          state -> { // no outcome is measured between the time and its sample
            now = Clock.offset(Clock.fixed(now.instant(), ZoneOffset.UTC), Duration.ofSeconds(30));
            observe(cores);
          });
    }
  }

  private StoredDecision rewarded(String id) throws InterruptedException {
    await(() -> store.decision(id).filter(d -> d.reward() != null).isPresent());
    return store.decision(id).orElseThrow();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }
}
