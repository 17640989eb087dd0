package dev.berth.service.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.learning.AgentKind;
import dev.berth.service.registry.ModelInfo;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.task.Tasks;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class ModelServingTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);
  @TempDir Path folder;

  @Test
  void aModelThatCannotBeLoadedIsSaidOnceAndTheNextOneServesAtOnce() {
    ModelRegistry registry = ModelRegistry.of(folder, "dqn");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger log = (Logger) LoggerFactory.getLogger(ModelServing.class);
    log.addAppender(lines);
    ModelServing models = new ModelServing(registry, DQN, Clock.systemUTC());
    try {
      registry.promote(registry.add(new byte[] {1}, "dqn", "now", 1, 1, "broken").version());
      for (int second = 0; second < 5; second++) {
        models.look();
      }
      assertThat(lines.list.stream().filter(e -> e.getLevel() == Level.ERROR)).hasSize(1);
      assertThat(models.serving().modelVersion()).isEqualTo(1);
      assertThat(models.healthProblem().orElseThrow())
          .contains("model version 2", "version 1 goes on serving", "rollback");
      registry.promote(registry.add(registry.read(1), "dqn", "now", 1, 1, "good").version());
      models.look();
      assertThat(models.serving().modelVersion()).isEqualTo(3);
      assertThat(models.healthProblem()).isEmpty();
    } finally {
      log.detachAppender(lines);
    }
  }

  @Test
  void whatServesWhenSomebodyBeginsToFollowIsHandedOn() throws Exception {
    ModelServing models = new ModelServing(ModelRegistry.of(folder, "dqn"), DQN, Clock.systemUTC());
    long version = models.tryOut(ModelServing.untrained(DQN), "passed");
    models.promote(version, new ModelInfo.Verdict(false, "serves"));
    List<Long> told = new ArrayList<>();
    models.follow(s -> told.add(s.modelVersion()), new Tasks(task -> () -> {})).close();
    assertThat(told).contains(version);
  }

  @Test
  void anotherKindOfAgentStartsOnTheSameStateFolderAndTheFormerOneServesOnWhenItReturns() {
    ModelRegistry dqn = ModelRegistry.of(folder, "dqn");
    new ModelServing(dqn, DQN, Clock.systemUTC());
    dqn.promote(dqn.add(dqn.read(1), "dqn", "now", 1, 1, "learned here").version());
    ModelServing gnn =
        new ModelServing(
            ModelRegistry.of(folder, "gnn"),
            AgentConfig.defaults(AgentKind.GNN),
            Clock.systemUTC());
    assertThat(gnn.serving().policy().name()).isEqualTo("gnn");
    assertThat(new ModelServing(dqn, DQN, Clock.systemUTC()).serving().modelVersion()).isEqualTo(2);
    assertThat(ModelRegistry.kinds(folder)).containsExactly("dqn", "gnn");
  }

  @Test
  void aServingVersionOfAnotherReleaseIsNotUsedAndTheServiceStarts() {
    ModelRegistry registry = ModelRegistry.of(folder, "dqn");
    registry.promote(registry.add(new byte[] {1}, "dqn", "now", 1, 1, "other release").version());
    ModelServing models = new ModelServing(registry, DQN, Clock.systemUTC());
    assertThat(models.serving().modelVersion()).isEqualTo(2);
    assertThat(registry.serving().version()).isEqualTo(2);
  }
}
