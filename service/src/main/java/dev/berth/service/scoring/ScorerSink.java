package dev.berth.service.scoring;

import java.util.List;
import java.util.function.Consumer;

/** Where the scorer's news goes. Called on the scorer's callers' threads: must not wait. */
public interface ScorerSink {

  /** Lets everything go. */
  ScorerSink NONE = decisions(decision -> {});

  /** Hands on decisions only. */
  static ScorerSink decisions(Consumer<DecisionRecord> consumer) {
    return of(consumer, measured -> {});
  }

  /** Hands on only what nodes of placed pods used. */
  static ScorerSink measurements(Consumer<Measured> consumer) {
    return of(decision -> {}, consumer);
  }

  private static ScorerSink of(Consumer<DecisionRecord> decisions, Consumer<Measured> usage) {
    return new ScorerSink() {
      @Override
      public void decided(DecisionRecord decision) {
        decisions.accept(decision);
      }

      @Override
      public void happened(List<OutcomeEvent> events) {}

      @Override
      public void measured(List<Measured> measured) {
        measured.forEach(usage);
      }

      @Override
      public void forgotten(List<String> podUids) {}
    };
  }

  /** A decision was made and answered. */
  void decided(DecisionRecord decision);

  /** Outcomes reached the books; those of a decision come after it. */
  void happened(List<OutcomeEvent> events);

  /** Nodes of placed pods were looked at. */
  void measured(List<Measured> measured);

  /**
   * Pods of which events said that they run, and do not: they ended while nobody looked, or before.
   */
  void forgotten(List<String> podUids);
}
