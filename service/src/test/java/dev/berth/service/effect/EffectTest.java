package dev.berth.service.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.scoring.Without;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EffectTest {
  private static final long GIB = 1L << 30;
  private final AtomicLong seconds = new AtomicLong(1_000);
  private final InstantSource instants = () -> Instant.ofEpochSecond(seconds.get());
  private final Clock clock = instants.withZone(ZoneOffset.UTC);
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final NodeTable nodes = new NodeTable();
  private final Map<String, Without> reckoned = new HashMap<>();
  private final Effect effect = new Effect(new SharedState(state, clock), nodes, reckoned::put);
  private final String[] names = {"a", "b", "c", "d"};
  private final long[] cpu = new long[4];
  private final long[] memory = new long[4];
  private final int[] pods = new int[4];
  private int asked;

  @Test
  void aPodThatTheStockProfileWouldHavePlacedElsewhereWasMoved() {
    cpu[0] = 32_000; // the stock profile stays away from a
    memory[0] = 128 * GIB;
    place("web", "a", Mode.ACTIVE, null);
    place("api", "b", Mode.ACTIVE, null);
    Effect.Report report = effect.report();
    assertThat(report.placed()).isEqualTo(2);
    assertThat(report.moved()).isEqualTo(1);
    assertThat(report.running()).isEqualTo(1);
  }

  @Test
  void ofEachPodThatBerthPlacedItIsToldWhereTheStockProfileWouldHavePutIt() {
    cpu[0] = 32_000;
    memory[0] = 128 * GIB;
    OutcomeEvent moved = place("web", "a", Mode.ACTIVE, null);
    OutcomeEvent there = place("api", "c", Mode.ACTIVE, null);
    place("web", "a", Mode.SHADOW, null); // others placed it
    assertThat(reckoned).containsOnlyKeys(moved.decision(), there.decision());
    assertThat(reckoned.get(moved.decision()))
        .returns("b", Without::node)
        .returns(3, Without::ties)
        .matches(stock -> stock.here() < stock.sum());
    assertThat(reckoned.get(there.decision()))
        .returns("c", Without::node)
        .matches(stock -> stock.here() == stock.sum());
  }

  @Test
  void amongNodesThatAreEqualToTheStockProfileNoPodWasMoved() {
    place("web", "c", Mode.ACTIVE, null);
    assertThat(effect.report().moved()).isZero();
    assertThat(effect.report().spread().with()).isEqualTo(effect.report().spread().without());
  }

  @Test
  void podsThatOthersPlacedTellHowFarToTrustTheReckoning() {
    cpu[0] = 32_000;
    memory[0] = 128 * GIB;
    place("web", "b", Mode.SHADOW, null); // as the profile would have it
    place("web", "a", Mode.SHADOW, null); // another plugin wanted that
    place("api", "a", Mode.ACTIVE, "too little is known"); // nor did Berth
    Effect.Report report = effect.report();
    assertThat(report.checked()).isEqualTo(3);
    assertThat(report.agreed()).isEqualTo(1);
    assertThat(report.placed()).isZero();
    assertThat(report.running()).isZero();
  }

  @Test
  void whatTheSchedulerTellsOfItsOtherPluginsIsHeldAgainstTheReckoning() {
    cpu[0] = 32_000;
    memory[0] = 128 * GIB;
    OutcomeEvent moved = place("web", "a", Mode.ACTIVE, null);
    OutcomeEvent there = place("api", "b", Mode.ACTIVE, null);
    OutcomeEvent other = place("api", "c", Mode.ACTIVE, null);
    effect.happened(
        List.of(
            told(moved, new Without("b", 300, 200, 1)),
            told(there, new Without("b", 300, 300, 2)),
            told(other, new Without("d", 400, 100, 1)), // a plugin that the profile has not
            told(other, new Without("d", 400, 100, 1))));
    Effect.Report report = effect.report();
    assertThat(report.told()).isEqualTo(3);
    assertThat(report.toldMoved()).isEqualTo(2);
    assertThat(report.checked()).isEqualTo(3);
    assertThat(report.agreed()).isEqualTo(2);
  }

  private static OutcomeEvent told(OutcomeEvent bound, Without without) {
    return new OutcomeEvent(
        Type.BOUND, bound.at(), bound.decision(), bound.uid(), bound.node(), bound.pod(), without);
  }

  @Test
  void aBurstThatIsPiledOnOneNodeWouldHaveBeenSpreadAndNotPiledOnAnother() {
    for (int i = 0; i < 40; i++) {
      place("web", "a", Mode.ACTIVE, null);
    }
    Effect.Report report = effect.report();
    assertThat(report.moved()).isEqualTo(39); // the first had four equal nodes
    assertThat(report.running()).isEqualTo(30); // ten would be there all the same
    assertThat(report.spread().with()).isGreaterThan(0.05);
    assertThat(report.spread().without()).isCloseTo(0, within(1e-9));
  }

  @Test
  void whoEndsOrIsTakenBackMakesNoDifferenceAnyMore() {
    for (int i = 0; i < 40; i++) {
      place("web", "a", Mode.ACTIVE, null);
    }
    int running = effect.report().running();
    for (int i = 1; i <= 40; i++) {
      Type type = i % 2 == 0 ? Type.GONE : Type.UNRESERVED;
      leave("uid-" + i, Type.UNRESERVED, "b"); // on another node: says nothing
      assertThat(effect.report().running()).as("before %d ends", i).isEqualTo(running);
      leave("uid-" + i, type, "a");
      running = effect.report().running();
    }
    assertThat(running).isZero();
    seconds.addAndGet(10);
    assertThat(effect.report().spread().without()).isEqualTo(effect.report().spread().with());
  }

  @Test
  void aPodThatIsReservedAgainAndAgainIsPlacedOnceItIsBound() {
    cpu[0] = 32_000;
    memory[0] = 128 * GIB;
    for (int i = 0; i < 3; i++) {
      OutcomeEvent tried = as(Type.RESERVED, decide("web", "a", Mode.ACTIVE, null, List.of()));
      effect.happened(List.of(tried));
      assertThat(effect.report().running()).as("the next of a burst meets it there").isOne();
      effect.happened(List.of(as(Type.UNRESERVED, tried)));
    }
    assertThat(effect.report()).returns(0L, Effect.Report::placed).returns(0, r -> r.running());
    assertThat(reckoned).isEmpty();
    OutcomeEvent bound = decide("web", "a", Mode.ACTIVE, null, List.of());
    effect.happened(List.of(as(Type.RESERVED, bound), bound));
    assertThat(effect.report())
        .returns(1L, Effect.Report::placed)
        .returns(1L, Effect.Report::moved)
        .returns(1, Effect.Report::running);
  }

  private static OutcomeEvent as(Type type, OutcomeEvent e) {
    return new OutcomeEvent(type, e.at(), e.decision(), e.uid(), e.node(), e.pod());
  }

  @Test
  void newsThatComesTwiceCountsOnceAndPodsThatEndedUnseenAreForgotten() {
    cpu[0] = 32_000;
    memory[0] = 128 * GIB;
    OutcomeEvent bound = place("web", "a", Mode.ACTIVE, null);
    effect.happened(List.of(bound, bound));
    assertThat(effect.report().placed()).isEqualTo(1);
    effect.forgotten(List.of(bound.uid()));
    assertThat(effect.report().running()).isZero();
  }

  @Test
  void newsThatTravelsWithTheNextQuestionIsTakenInBeforeIt() {
    OutcomeEvent first = decide("web", "a", Mode.ACTIVE, null, List.of());
    decide("web", "b", Mode.ACTIVE, null, List.of(first));
    assertThat(effect.report().placed()).isEqualTo(1);
  }

  @Test
  void decisionsThatNeverGetANodeAreLetGoBeyondABoundInBytes() {
    Candidates many =
        Given.nodes(
            java.util.stream.IntStream.range(0, 5_000)
                .mapToObj(i -> "n" + i)
                .toArray(String[]::new));
    for (int i = 0; i < 100; i++) {
      effect.decided(
          record(
              "pod-" + i, Pod.of("uid-" + i, "web", 100, GIB), many, Mode.ACTIVE, null, List.of()));
    }
    assertThat(effect.report().notReckoned()).isBetween(60L, 80L); // 16 MiB are 33 of them
  }

  /** Asks about a pod and binds it to a node. */
  private OutcomeEvent place(String owner, String node, Mode mode, String reason) {
    OutcomeEvent event = decide(owner, node, mode, reason, List.of());
    effect.happened(List.of(event));
    return event;
  }

  /** Asks about a pod that is bound to a node, of which the effect has not heard yet. */
  private OutcomeEvent decide(
      String owner, String node, Mode mode, String reason, List<OutcomeEvent> news) {
    String id = "uid-" + ++asked;
    Pod pod = Pod.of(id, owner, 1_000, 4 * GIB);
    Candidates c = Given.nodes(names.clone());
    System.arraycopy(cpu, 0, c.cpuRequestedMilli(), 0, 4);
    System.arraycopy(memory, 0, c.memoryRequestedBytes(), 0, 4);
    System.arraycopy(pods, 0, c.podCount(), 0, 4);
    nodes.update(c, seconds.get());
    effect.decided(record(id + "/1", pod, c, mode, reason, news));
    state.podBound(pod, node, seconds.get());
    int i = List.of(names).indexOf(node);
    cpu[i] += 1_000;
    memory[i] += 4 * GIB;
    pods[i]++;
    // The books that the spread is made of.
    Candidates after = Given.nodes(names.clone());
    System.arraycopy(cpu, 0, after.cpuRequestedMilli(), 0, 4);
    nodes.update(after, seconds.get());
    return new OutcomeEvent(Type.BOUND, seconds.get(), id + "/1", id, node, pod);
  }

  private void leave(String uid, Type type, String node) {
    effect.happened(List.of(new OutcomeEvent(type, seconds.get(), null, uid, node, null)));
  }

  private DecisionRecord record(
      String decision, Pod pod, Candidates c, Mode mode, String reason, List<OutcomeEvent> news) {
    int n = c.size();
    ScoreRequest request = new ScoreRequest(decision, "test", mode, null, pod, c, news);
    ScoreReply reply =
        new ScoreReply(decision, new int[n], "test", mode, 0, "b", "i", 1, false, null, reason);
    int[] ownerPods = state.ownerPods(pod.owner(), c);
    return new DecisionRecord(0, request, reply, null, null, new double[n], ownerPods, null, null);
  }
}
