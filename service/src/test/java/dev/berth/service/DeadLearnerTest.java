package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.SampleTable;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.trainer.ModelServing;
import dev.berth.service.trainer.Trainer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Learner and scorer are isolated: the real trainer is made to die while the real scorer works. */
@Timeout(60)
class DeadLearnerTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);
  @TempDir Path folder;

  @Test
  void aDeadLearnerLeavesTheLastPromotedModelServingAndIsReported() throws Exception {
    ServiceConfig config = ConfigLoader.load(null, Map.of());
    Clock clock = Clock.systemUTC();
    ServiceMetrics metrics = new ServiceMetrics();
    ModelRegistry registry = ModelRegistry.open(folder.resolve("models"));
    try (SqliteStore store = SqliteStore.open(config.store(), folder.resolve("db"), clock);
        ModelServing models = new ModelServing(registry, DQN, clock)) {
      registry.promote(registry.add(registry.read(1), "dqn", "now", 9, 9, "test").version());
      Scorer scorer =
          new Scorer(
              config.scoring(),
              models.serving(),
              new ClusterState(UsageConfig.DEFAULT),
              new SampleTable(config.scoring()),
              new NodeTable(),
              metrics,
              clock,
              "test",
              ScorerSink.NONE);
      models.follow(scorer::serve);
      while (scorer.serving().modelVersion() < 2) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      try (Trainer trainer =
          new Trainer(config.trainer(), DQN, scorer, models, store, folder.resolve("learner"))
              .start()) {
        new StatusReport(scorer, trainer, metrics, clock).register(metrics);
        assertThat(text(metrics)).contains("berth_trainer_alive 1.0");

        trainer.offer(withMoreScoresThanCandidates(scorer));
        while (trainer.alive()) {
          TimeUnit.MILLISECONDS.sleep(10);
        }

        ScoreReply reply = scorer.score(request());
        assertThat(reply.scores()).hasSize(2);
        assertThat(reply.modelVersion()).isEqualTo(2);
        assertThat(text(metrics)).contains("berth_trainer_alive 0.0");
        assertThat(trainer.trouble().orElseThrow())
            .contains("learner died", "restart the service", "ArrayIndexOutOfBounds");
        trainer.offer(new DecisionRecord(0, request(), reply, null, null, new double[2]));
        assertThat(trainer.dropped()).as("what a dead learner is offered").isEqualTo(1);
      }
    }
  }

  /** No such record can come from the scorer: it stands for any bug in the learner. */
  private static DecisionRecord withMoreScoresThanCandidates(Scorer scorer) {
    ScoreReply good = scorer.score(request());
    ScoreReply bad =
        new ScoreReply(
            "d/1",
            new int[] {0, 0, 100},
            good.policy(),
            Mode.ACTIVE,
            good.modelVersion(),
            good.basis(),
            good.instance(),
            1,
            false,
            null,
            null);
    return new DecisionRecord(scorer.now(), request(), bad, null, null, new double[2]);
  }

  private static ScoreRequest request() {
    return new ScoreRequest(
        "d/1", "", Mode.ACTIVE, Pod.of("p", "shop/Pod/p", 500, 1), Given.nodes("n0", "n1"));
  }

  private static String text(ServiceMetrics metrics) {
    return new String(metrics.text(), StandardCharsets.UTF_8);
  }
}
