package dev.berth.service.scoring;

import java.util.List;

/** Where the scorer's news goes. Called on the scorer's callers' threads: must not wait. */
public interface ScorerSink {

  /** Lets everything go. */
  ScorerSink NONE =
      new ScorerSink() {
        @Override
        public void decided(DecisionRecord decision) {}

        @Override
        public void forgotten(List<String> podUids) {}
      };

  /** A decision was made and answered. */
  void decided(DecisionRecord decision);

  /** Pods that ran before a restart ended while nobody looked. */
  void forgotten(List<String> podUids);
}
