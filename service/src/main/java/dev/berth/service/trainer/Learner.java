package dev.berth.service.trainer;

import dev.berth.policy.agent.OnlineLearner;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.OutcomeEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who learns from decisions. One thread hands them over; everything else may be asked by any. */
public interface Learner extends AutoCloseable {

  /** Learns nothing. */
  Learner OFF =
      new Learner() {
        @Override
        public void decided(DecisionRecord record) {}

        @Override
        public void happened(List<OutcomeEvent> events) {}

        @Override
        public State state() {
          return State.OFF;
        }

        @Override
        public OnlineLearner.Progress progress() {
          return OnlineLearner.Progress.NOTHING;
        }

        @Override
        public @Nullable PromotionStatus promotion() {
          return null;
        }

        @Override
        public @Nullable PromotionStatus watch() {
          return null;
        }

        @Override
        public Map<String, Long> verdicts() {
          return Map.of();
        }

        @Override
        public Map<String, Long> lost() {
          return Map.of();
        }

        @Override
        public long dropped() {
          return 0;
        }

        @Override
        public long restarts() {
          return 0;
        }

        @Override
        public Optional<String> healthProblem() {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /** What it does. */
  enum State {
    OFF,
    ALIVE,
    /** Between a failure and the next start from the last checkpoint. */
    RECOVERING
  }

  /** A decision was made. */
  void decided(DecisionRecord record);

  /** Outcomes came in: a decision is learned from with the node that its pod was bound to. */
  void happened(List<OutcomeEvent> events);

  State state();

  OnlineLearner.Progress progress();

  /** Where the newest weights stand that were judged; null when nothing learns. */
  @Nullable PromotionStatus promotion();

  /** What the serving version gains over its base; null when nothing learns. */
  @Nullable PromotionStatus watch();

  /** How often newer weights went on trial, served, were kept back, stepped back; by state. */
  Map<String, Long> verdicts();

  /** Decisions that were never learned from, by cause. */
  Map<String, Long> lost();

  /** Bound decisions dropped because the learner was behind. */
  long dropped();

  /** How often learning began again after a failure. */
  long restarts();

  /** Why nothing is learned or promoted at present; empty while all is well. */
  Optional<String> healthProblem();

  @Override
  void close();
}
