package dev.berth.service.trainer;

import dev.berth.service.scoring.DecisionRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ids of the decisions that wait for their reward; the oldest are let go. One thread. */
final class WaitingDecisions {
  private static final int MOST = 20_000;

  private record Key(String podUid, double decidedAt) {}

  private final Map<Key, String> ids =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, String> eldest) {
          return size() > MOST;
        }
      };

  void add(DecisionRecord decision) {
    ids.put(new Key(decision.request().pod().uid(), decision.at()), decision.request().decision());
  }

  @Nullable String take(String podUid, double decidedAt) {
    return ids.remove(new Key(podUid, decidedAt));
  }
}
