package dev.berth.service.regret;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.state.ClusterState;
import dev.berth.service.queue.ByteMap;
import dev.berth.service.regret.Asked.Placed;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.Choice;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.Hindsight;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds each pod's node against the one Berth wanted: when it is bound, by the forecast of five
 * minutes later, and then by what both nodes used, without this pod and later ones. Each pod is
 * judged alone, all others where they are. Left out are pods with GPUs, which are not placed by
 * what nodes use, and those placed to learn from them.
 *
 * <p>Thread-safe; not for a thread that a pod waits for.
 */
public final class Regret {
  /** A pod is bound within seconds. */
  private static final long ASKED_BYTES = 16 << 20;

  /** Six minutes' binds of 10,000 a minute. */
  private static final long PLACED_BYTES = 20 << 20;

  private static final int PLACED_OWN_BYTES = 250;

  private record Due(Measured measured, Placed placed) {}

  private final SharedState shared;
  private final ExperienceStore store;
  private final ByteMap<Asked> asked = new ByteMap<>(ASKED_BYTES);
  private final ByteMap<Placed> placed = new ByteMap<>(PLACED_BYTES);

  public Regret(SharedState shared, ExperienceStore store) {
    this.shared = shared;
    this.store = store;
  }

  /** A decision was answered. */
  public void decided(DecisionRecord d) {
    if (!d.reply().explored() && d.request().pod().gpu().equals(GpuRequest.NONE)) {
      Asked question = Asked.of(d);
      synchronized (this) {
        asked.put(question.decision(), question, question.bytes());
      }
    }
  }

  /** News of pods; the same may come twice. */
  public void happened(List<OutcomeEvent> events) {
    for (OutcomeEvent event : events) {
      String decision = event.decision();
      String node = event.node();
      if (event.type() == OutcomeEvent.Type.BOUND && decision != null && node != null) {
        bound(decision, node);
      }
    }
  }

  private void bound(String decision, String node) {
    Placed found;
    synchronized (this) {
      Asked question = asked.take(decision);
      found = question == null ? null : question.placedOn(node);
      if (found != null && found.choice().ours() != null) {
        placed.put(decision, found, PLACED_OWN_BYTES + decision.length());
      }
    }
    if (found != null) {
      store.chosen(found.choice());
    }
  }

  /** Nodes of placed pods were looked at; so are those that Berth wanted, in one hold. */
  public void measured(List<Measured> measured) {
    List<Due> due = new ArrayList<>();
    synchronized (this) {
      for (Measured m : measured) {
        Placed found = placed.take(m.decision());
        if (found != null) {
          due.add(new Due(m, found));
        }
      }
    }
    if (due.isEmpty()) {
      return; // those that wait for scores need not wait for nothing
    }
    List<Hindsight> judged = new ArrayList<>();
    shared.with(
        state ->
            due.forEach(
                d -> {
                  Hindsight later = judge(d.measured(), d.placed(), state);
                  if (later != null) {
                    judged.add(later);
                  }
                }));
    if (!judged.isEmpty()) {
      store.judged(judged);
    }
  }

  private static @Nullable Hindsight judge(Measured m, Placed found, ClusterState state) {
    Choice choice = found.choice();
    String ours = choice.ours();
    if (ours == null || ours.equals(choice.node())) {
      return new Hindsight(m.decision(), choice.forecast() == null ? null : 0.0, 0);
    }
    double used =
        state.measuredCpuWithout(ours, m.order(), m.at(), Measured.OVER_SECONDS)
            / state.cpuCapacity(ours);
    CostDifference costs = found.costs();
    return Double.isFinite(used)
        ? new Hindsight(
            m.decision(),
            costs == null ? null : costs.regret(m.without(), used),
            m.without() - used)
        : null;
  }

  /** Decisions that nobody will judge, because too many waited for their nodes or their time. */
  public synchronized long dropped() {
    return asked.letGo() + placed.letGo();
  }
}
