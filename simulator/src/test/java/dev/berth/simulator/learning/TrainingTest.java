package dev.berth.simulator.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.agent.Objective;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.learning.AgentKind;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.Recorder;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Training through its front door. */
final class TrainingTest {
  private static final Path SCENARIOS =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");

  /** Variance over nodes of the requested CPU fraction that an agent alone is to reach. */
  private static final double EVEN = 5e-4;

  @ParameterizedTest(name = "{0}, trained with seed 1, judged on seed 9001")
  @EnumSource(value = AgentKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PLAIN_DQN")
  void anAgentAloneLearnsToBalanceRequestsWithoutABase(AgentKind kind) throws IOException {
    AgentConfig config =
        AgentConfig.defaults(kind)
            .alone()
            .with(p -> p.objective = Objective.REQUESTS)
            .with(p -> p.trainFrequency = 2)
            .with(p -> p.explorationDecisions = 500);
    Scenario unseen = ScenarioFile.read(SCENARIOS.resolve("deployments.yaml"));
    Training training = Training.start(plan(config, 1000));
    double untrained = variance(unseen, training.model().policy());
    while (!training.finished()) {
      training.episode();
    }
    double learned = variance(unseen, training.model().policy());
    assertThat(untrained).isGreaterThan(2 * EVEN);
    assertThat(learned).isLessThanOrEqualTo(EVEN);
  }

  @ParameterizedTest(name = "{0}, trained with seed 1, judged on seed 9001")
  @EnumSource(
      value = AgentKind.class,
      names = {"DQN", "AC"})
  void aWarmStartPlacesAsItsTeacherDoesBeforeItWasEverRewarded(AgentKind kind) throws IOException {
    AgentConfig config =
        AgentConfig.defaults(kind)
            .alone()
            .with(p -> p.objective = Objective.REQUESTS)
            .with(p -> p.trainFrequency = 2);
    Scenario unseen = ScenarioFile.read(SCENARIOS.resolve("deployments.yaml"));
    Training training = Training.start(plan(config, 500, new Lessons("least-allocated", 9, "", 0)));
    while (!training.finished()) {
      training.episode();
    }
    assertThat(variance(unseen, training.model().policy())).isLessThanOrEqualTo(EVEN);
    assertThatThrownBy(
            () -> plan(AgentConfig.defaults(kind), 500, new Lessons("least-allocated", 9, "", 0)))
        .hasMessageContaining("agent alone");
  }

  @Test
  void aRecordedRunOfAnotherPolicyTeachesWhatTheRunItselfWouldHave_seed1(@TempDir Path folder)
      throws IOException {
    AgentConfig config =
        AgentConfig.defaults(AgentKind.DQN).alone().with(p -> p.trainFrequency = 8);
    Scenario scenario = ScenarioFile.read(SCENARIOS.resolve("train").resolve("n10-steady-50.yaml"));
    OnlineLearner present = learner(config);
    Path record = folder.resolve("run.jsonl");
    try (Writer out = Files.newBufferedWriter(record)) {
      Lessons.Lesson lesson =
          new Lessons("", 0, "predict-then-greedy", 1).lesson(0, new SplittableRandom(1));
      Episode episode = new Episode(present, lesson, 0, new SplittableRandom(1));
      Simulation simulation = new Simulation(scenario, 7, context -> episode).listen(episode);
      simulation.listen(new Recorder(scenario, simulation.cluster(), out)).run();
    }
    OnlineLearner reader = learner(config);
    long decisions = RecordedRun.play(record, reader);
    OnlineLearner.Progress seen = present.progress();
    OnlineLearner.Progress read = reader.progress();
    assertThat(decisions).isGreaterThan(500);
    assertThat((double) read.settled()).isCloseTo(seen.settled(), withinPercentage(1));
    assertThat(read.reward()).isCloseTo(seen.reward(), withinPercentage(2));
    Files.writeString(record, "{\"type\":\"bind\"}");
    assertThatThrownBy(() -> RecordedRun.play(record, reader)).hasMessageContaining(":1: ");
  }

  private static OnlineLearner learner(AgentConfig config) {
    return OnlineLearner.from(
        config, AgentNetwork.initial(config, new SplittableRandom(1)), new SplittableRandom(1));
  }

  @Test
  void aResumedRunGoesOnBitByBit_seed1() throws IOException {
    AgentConfig config =
        AgentConfig.defaults(AgentKind.GNN)
            .with(p -> p.learningStarts = 20)
            .with(p -> p.trainFrequency = 8)
            .with(p -> p.gamma = 0.5)
            .with(p -> p.objective = Objective.REQUESTS);
    Training whole = Training.start(plan(config, 2000));
    whole.episode();
    Training resumed = Training.resume(plan(config, 2000), whole.checkpoint());
    whole.episode();
    resumed.episode();
    assertThat(resumed.checkpoint()).isEqualTo(whole.checkpoint());
    assertThat(BalanceModel.decode(resumed.model().encode())).isNotNull();
  }

  @Test
  void aRunDoesNotGoOnWithOtherOptionsThanItWasBegunWith_seed1() throws IOException {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN);
    Training.Plan plan = plan(config, 2000);
    byte[] begun = Training.start(plan).checkpoint();
    assertThatThrownBy(() -> Training.resume(plan(config.with(p -> p.clip = 0.1), 2000), begun))
        .hasMessage(
            "the checkpoint was made with clip "
                + config.correction().clip()
                + ", not 0.1: give the same options, or choose another --out");
    Training.Plan drawn = new Training.Plan(config, plan.scenarios(), 2, 2000, Lessons.NONE);
    assertThatThrownBy(() -> Training.resume(drawn, begun)).hasMessageContaining("seed 1, not 2");
    Training.Plan elsewhere =
        new Training.Plan(
            config,
            List.of(ScenarioFile.read(SCENARIOS.resolve("aaml/deployments-mixed-50.yaml"))),
            1,
            2000,
            Lessons.NONE);
    assertThatThrownBy(() -> Training.resume(elsewhere, begun))
        .hasMessageContaining("scenario deployments-80, not deployments-mixed-50");
    Training.Plan shown =
        new Training.Plan(config, plan.scenarios(), 1, 2000, new Lessons("", 0, "default", 3));
    assertThatThrownBy(() -> Training.resume(shown, begun))
        .hasMessageContaining("prefill-episodes 0, not 3");
    Training.Plan longer = plan(config.with(p -> p.explorationDecisions *= 2), 4000);
    assertThat(Training.resume(longer, begun).finished()).as("of more decisions it does").isFalse();
  }

  @Test
  void eventFilesAreWhatTensorBoardReads(@TempDir Path folder) throws IOException {
    try (EventFile events = new EventFile(folder)) {
      events.scalar("losses/td_loss", 300, 0.5);
      events.histogram("actions/candidate", 300, new double[] {0.5, 1}, new int[] {3, 4});
    }
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("events.out.tfevents.berth")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int records = 0;
    while (bytes.hasRemaining()) {
      byte[] head = new byte[8];
      bytes.get(head);
      assertThat(bytes.getInt()).isEqualTo(masked(head));
      byte[] body = new byte[(int) ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getLong()];
      bytes.get(body);
      assertThat(bytes.getInt()).isEqualTo(masked(body));
      records++;
    }
    assertThat(records).isEqualTo(3);
  }

  private static int masked(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    int value = (int) crc.getValue();
    return ((value >>> 15) | (value << 17)) + 0xa282ead8;
  }

  private static Training.Plan plan(AgentConfig config, long decisions) throws IOException {
    return plan(config, decisions, Lessons.NONE);
  }

  private static Training.Plan plan(AgentConfig config, long decisions, Lessons lessons)
      throws IOException {
    Scenario training = ScenarioFile.read(SCENARIOS.resolve("aaml").resolve("deployments-80.yaml"));
    return new Training.Plan(config, List.of(training), 1, decisions, lessons);
  }

  private static double variance(Scenario scenario, LearnedPolicy policy) {
    RunMetrics metrics = new RunMetrics(scenario);
    new Simulation(scenario, 9001, context -> policy).listen(metrics).run();
    Map<Metric, Double> values = metrics.values();
    return values.get(Metric.REQUEST_CPU_VARIANCE);
  }
}
