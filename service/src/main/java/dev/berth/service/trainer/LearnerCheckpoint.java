package dev.berth.service.trainer;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.registry.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the learner knows, in a file: whole whenever the process dies. One thread, but for {@link
 * #healthProblem}.
 */
final class LearnerCheckpoint {
  private static final Logger log = LoggerFactory.getLogger(LearnerCheckpoint.class);

  private final Path file;
  private final AgentConfig agent;
  private long writtenStep;
  private volatile @Nullable String healthProblem;

  LearnerCheckpoint(Path file, AgentConfig agent) {
    this.file = file;
    this.agent = agent;
  }

  /**
   * What was learned so far.
   *
   * @param serving to begin from when there is no file or it does not fit
   */
  BalanceModel read(Weights serving) {
    if (Files.exists(file)) {
      try {
        BalanceModel found = BalanceModel.decode(Files.readAllBytes(file), agent);
        log.info("learning goes on from gradient step {}", found.moments().step());
        return found;
      } catch (IllegalArgumentException | IOException e) {
        log.warn("{} is not used: {}", file, e.getMessage());
      }
    }
    Adam fresh = new Adam(serving.spec(), agent.learning().learningRate());
    return BalanceModel.of(agent, serving, fresh.moments(), 0, 0);
  }

  /** Writes what is new. A disk that is full is no reason to stop learning. */
  void write(BalanceModel model) {
    long step = model.moments().step();
    if (step == writtenStep) {
      return;
    }
    try {
      AtomicFile.write(file, model.encode());
      writtenStep = step;
      healthProblem = null;
    } catch (IOException e) {
      if (healthProblem == null) {
        log.error("what was learned cannot be written to {}", file, e);
      }
      healthProblem = "what was learned cannot be written to " + file + ": " + e;
    }
  }

  /** Why nothing can be written at present; empty when all is well. */
  Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }
}
