package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.effect.Moves.Move;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.queue.ByteMap;
import dev.berth.service.queue.Newest;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.scoring.Without;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What Berth changed, reckoned since the service began.
 *
 * <p>Each pod that is placed is asked about once more, of the stock profile, the code that {@code
 * make differential} holds against the real scheduler. On the books as they are that says whether
 * the pod was moved; on the books as they would be had all pods before it gone where the profile
 * wants them, it says where it would be without Berth. So a burst is spread there, too, as the
 * stock scheduler would have done. Among equals the pod stays where it is.
 *
 * <p>What it does not know: preferences of pods, other plugins, and pods with GPUs, which are left
 * out. How far to trust it is counted: pods that others placed were not moved, and of some of
 * Berth's the scheduler itself tells where its other plugins would have put them.
 *
 * <p>Thread-safe. {@link #decided} and {@link #happened} are not for a thread that a pod waits for.
 */
public final class Effect {
  /** Of some 300 bytes each: a pod is bound within seconds. */
  private static final int VERDICTS = 10_000;

  /** Decisions whose pods have no node yet. */
  static final long WAITING_BYTES = 16 << 20;

  private final BiConsumer<String, Without> reckoned;
  private final ByteMap<Open> waiting = new ByteMap<>(WAITING_BYTES);
  private final Moves moves = new Moves();

  /** Of the newest pods that are reserved and not bound, by decision. */
  private final Map<String, Verdict> reserved = new Newest<>(VERDICTS);

  /** Whether the newest pods placed by Berth are where the profile wants them, by decision. */
  private final Map<String, Boolean> verdicts = new Newest<>(VERDICTS);

  private final Spreads spreads;
  private long placed;
  private long moved;
  private long told;
  private long toldMoved;
  private long checked;
  private long agreed;

  /** What the profile would have done with a pod on the books as they are. */
  private record Verdict(boolean byBerth, Without stock) {
    boolean same() {
      return stock.here() == stock.sum();
    }
  }

  /**
   * What is known of it.
   *
   * @param placed pods that Berth's scores placed
   * @param moved of these, pods the stock profile would have placed elsewhere
   * @param told of these placed, pods of which the scheduler told where its other plugins would
   *     have put them
   * @param toldMoved of these told, elsewhere
   * @param checked pods of which it is known whether they were moved: told of, or placed by the
   *     other plugins (in shadow mode, outside a canary, without an opinion), which moves none
   * @param agreed of these, pods that the reckoning says the same of
   * @param running moved pods that run elsewhere than they would
   * @param notReckoned decisions that were let go before their pods had a node, for want of room
   * @param spread null until two nodes have been named
   */
  public record Report(
      long placed,
      long moved,
      long told,
      long toldMoved,
      long checked,
      long agreed,
      int running,
      long notReckoned,
      @Nullable Spread spread) {}

  /**
   * Standard deviation over the nodes of the CPU that is expected now, in shares of a node.
   *
   * @param with as it is
   * @param without had the moved pods that run gone where the stock profile wants them
   */
  public record Spread(double with, double without) {}

  /**
   * @param reckoned told of each pod that Berth's scores placed, by decision, where the stock
   *     profile would have put it; must not wait
   */
  public Effect(SharedState shared, NodeTable nodes, BiConsumer<String, Without> reckoned) {
    this.reckoned = reckoned;
    spreads = new Spreads(shared, nodes);
  }

  public void register(ServiceMetrics registry) {
    registry.counters(
        "berth_effect_pods",
        "Placed pods by what the stock profile would have done: moved and kept by Berth's scores;"
            + " agreed and differed where it is known otherwise, which tells how far to trust it.",
        "kind",
        () -> {
          synchronized (this) {
            return Map.of(
                "moved",
                moved,
                "kept",
                placed - moved,
                "agreed",
                agreed,
                "differed",
                checked - agreed);
          }
        });
    registry.gauges(
        "berth_effect_spread",
        "Standard deviation over nodes of the CPU expected now, as a share of a node: with Berth,"
            + " and without, had the moved pods gone where the stock profile wants them.",
        "world",
        () -> {
          Spread spread = report().spread();
          return spread == null
              ? Map.of()
              : Map.of("with", spread.with(), "without", spread.without());
        });
  }

  /** A decision was answered. */
  public void decided(DecisionRecord d) {
    happened(d.request().events());
    int[] ownerPods = d.ownerPods();
    if (ownerPods == null) {
      return; // it asks for GPUs, which the stock profile knows nothing of
    }
    Candidates all = d.request().candidates();
    int[] sound = all.sound();
    Candidates candidates = sound.length == all.size() ? all : all.only(sound);
    Pod pod = d.request().pod();
    synchronized (this) {
      Open open = new Open(d.request().decision(), pod, candidates, ownerPods, d.counted());
      waiting.put(open.decision(), open, open.bytes());
    }
  }

  /** News of pods, in their order; the same may come twice. */
  public synchronized void happened(List<OutcomeEvent> events) {
    for (OutcomeEvent event : events) {
      switch (event.type()) {
        case RESERVED, BOUND -> {
          Open asked = event.decision() == null ? null : waiting.take(event.decision());
          if (asked != null && event.node() != null) {
            reckon(asked, event.node());
          }
          if (event.type() == OutcomeEvent.Type.BOUND) {
            count(event.decision());
          }
          check(event);
        }
        case UNRESERVED, GONE -> ended(event);
        case ASSIGNED, LIST_BEGIN, LIST_END -> {}
      }
    }
  }

  /** Pods that ended while nobody looked. */
  public synchronized void forgotten(List<String> podUids) {
    podUids.forEach(moves::end);
  }

  private void ended(OutcomeEvent event) {
    Move move = moves.of(event.uid());
    boolean anywhere = event.type() == OutcomeEvent.Type.GONE || event.node() == null;
    if (move != null && (anywhere || move.actual().equals(event.node()))) {
      moves.end(event.uid());
    }
  }

  private void reckon(Open asked, String node) {
    Candidates c = asked.candidates();
    int there =
        IntStream.range(0, c.size()).filter(i -> c.names()[i].equals(node)).findFirst().orElse(-1);
    if (there < 0) {
      return;
    }
    Without stock = StockChoice.of(c, asked.pod(), asked.ownerPods(), there);
    reserved.put(asked.decision(), new Verdict(asked.byBerth(), stock));
    if (!asked.byBerth()) {
      return;
    }
    int otherwise = withoutBerth(asked, there);
    if (otherwise != there) {
      moves.add(new Move(asked.pod(), node, c.names()[otherwise]));
    }
  }

  /** Only who is bound was placed: a reservation may be taken back again and again. */
  private void count(@Nullable String decision) {
    Verdict verdict = decision == null ? null : reserved.remove(decision);
    if (decision == null || verdict == null) {
      return;
    }
    if (!verdict.byBerth()) {
      checked++;
      agreed += verdict.same() ? 1 : 0;
      return;
    }
    reckoned.accept(decision, verdict.stock());
    verdicts.put(decision, verdict.same());
    placed++;
    moved += verdict.same() ? 0 : 1;
  }

  /** What the scheduler tells of a pod that Berth placed, against what was reckoned. */
  private void check(OutcomeEvent event) {
    Without without = event.without();
    String decision = event.decision();
    if (without == null || decision == null) {
      return;
    }
    Boolean same = verdicts.remove(decision);
    if (same != null) {
      boolean elsewhere = without.here() < without.sum();
      told++;
      toldMoved += elsewhere ? 1 : 0;
      checked++;
      agreed += same != elsewhere ? 1 : 0;
    }
  }

  /** The place the profile wants on the books without Berth; the pod's own among equals. */
  private int withoutBerth(Open asked, int there) {
    Candidates c = moves.without(asked.candidates());
    Pod pod = asked.pod();
    int[] ownerPods = moves.ownerPodsWithout(pod.owner(), c.names(), asked.ownerPods());
    List<Integer> best = StockChoice.amongThoseThatFit(c, pod, ownerPods);
    return best.isEmpty() || best.contains(there)
        ? there
        : best.get(Math.floorMod(pod.uid().hashCode(), best.size()));
  }

  /** As of now; the spreads of at most five seconds ago. */
  public Report report() {
    List<Move> running;
    synchronized (this) {
      running = moves.all();
    }
    Spread spread = spreads.of(running);
    synchronized (this) {
      return new Report(
          placed, moved, told, toldMoved, checked, agreed, running.size(), waiting.letGo(), spread);
    }
  }
}
