package dev.berth.service.scoring;

import java.util.List;

/** Where the scorer's news goes. Called on the scorer's callers' threads: must not wait. */
public interface ScorerSink {

  /** A decision was made and answered. */
  void decided(DecisionRecord decision);

  /** Pods that ran before a restart ended while nobody looked. */
  void forgotten(List<String> podUids);
}
