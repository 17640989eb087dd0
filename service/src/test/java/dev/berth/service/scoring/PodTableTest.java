package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.PodNames.Named;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a full list of running pods may and may not do. */
class PodTableTest {
  private static final double LATER = 1000;
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final PodTable table = new PodTable(state);

  @Test
  void whomACompleteListDoesNotNameIsGone() {
    table.apply(List.of(bound("alive"), bound("ghost")), 0);
    assertThat(table.apply(list("l", assigned("alive")), LATER)).containsExactly("ghost");
    assertThat(state.knownPods()).isEqualTo(1);
  }

  @Test
  void aListWithoutItsEndOrItsBeginSaysNothing() {
    table.apply(List.of(bound("alive"), bound("quiet")), 0);
    List<OutcomeEvent> whole = list("l", assigned("alive"));
    assertThat(table.apply(whole.subList(0, whole.size() - 1), LATER)).isEmpty();
    assertThat(table.apply(List.of(mark(Type.LIST_END, "of another process")), LATER)).isEmpty();
    assertThat(state.knownPods()).isEqualTo(2);
  }

  @Test
  void aPodBoundWhileTheListIsUnderWaySurvives() {
    table.apply(List.of(bound("alive"), bound("ghost")), 0);
    table.apply(List.of(mark(Type.LIST_BEGIN, "l"), bound("new"), assigned("alive")), LATER);
    assertThat(table.apply(List.of(mark(Type.LIST_END, "l")), LATER)).containsExactly("ghost");
  }

  @Test
  void aPodHeardOfJustBeforeTheListBeganIsLeftToTheNextList() {
    table.apply(List.of(bound("just bound by another scheduler")), LATER - 1);
    assertThat(table.apply(list("l1"), LATER)).isEmpty();
    assertThat(table.apply(list("l2"), LATER + PodTable.JUST_HEARD_SECONDS)).hasSize(1);
  }

  @Test
  void aNameIsThePodsThatHasItNow() {
    table.restore(List.of(new RunningPod(pod("old"), "n0", 0)), LATER);
    assertThat(table.names().named("shop", "web-0")).isEqualTo(new Named("old", "n0"));
    table.apply(List.of(placed("new", "n1")), LATER);
    table.apply(List.of(gone("old")), LATER + 1); // its end is told after the next one's begin
    assertThat(table.names().named("shop", "web-0")).isEqualTo(new Named("new", "n1"));
    table.apply(List.of(placed("new", "n2")), LATER + 2);
    assertThat(table.names().named("shop", "web-0")).isEqualTo(new Named("new", "n2"));
    table.apply(list("l"), LATER + 1000);
    assertThat(table.names().named("shop", "web-0")).isNull();
  }

  private static Pod pod(String uid) {
    return new Pod(
        uid,
        "web-0",
        "shop",
        "shop/StatefulSet/web",
        0,
        100,
        1,
        GpuRequest.NONE,
        LatencyLimits.NONE);
  }

  private static OutcomeEvent placed(String uid, String node) {
    return new OutcomeEvent(Type.BOUND, LATER, null, uid, node, pod(uid));
  }

  private static OutcomeEvent gone(String uid) {
    return new OutcomeEvent(Type.GONE, LATER, null, uid, null, null);
  }

  @Test
  void aPodBoundByAClockThatWasAheadIsInTheFirstSample() {
    Pod pod = Pod.of("ahead", "shop/Pod/ahead", 32_000, 1);
    table.restore(List.of(new RunningPod(pod, "n0", LATER + 7200)), LATER);
    state.sample(new NodeSample("n0", LATER - 5, LATER + 5, 32, 1e9, 5, 1), LATER + 5);
    assertThat(state.ledgerCpu(Given.nodes("n0"), LATER + 5)).containsExactly(0);
  }

  @Test
  void aBatchThatComesTwiceChangesNothing() {
    table.apply(List.of(bound("alive")), 0);
    List<OutcomeEvent> first = List.of(mark(Type.LIST_BEGIN, "l"), assigned("alive"));
    table.apply(first, LATER);
    table.apply(first, LATER + 1);
    assertThat(table.apply(List.of(mark(Type.LIST_END, "l")), LATER + 2)).isEmpty();
    assertThat(table.apply(List.of(mark(Type.LIST_END, "l")), LATER + 3)).isEmpty();
    assertThat(state.knownPods()).isEqualTo(1);
  }

  @Test
  void aClockThatIsSetBackLosesNobodyWhoWasNamed() {
    table.apply(List.of(bound("alive")), 0);
    table.apply(List.of(mark(Type.LIST_BEGIN, "l")), LATER);
    table.apply(List.of(assigned("alive")), LATER - 500);
    assertThat(table.apply(List.of(mark(Type.LIST_END, "l")), LATER - 500)).isEmpty();
  }

  @Test
  void whoWasForgottenComesBackWhenItIsNamedAgain() {
    table.apply(List.of(bound("slow")), 0);
    table.apply(list("l"), LATER);
    table.apply(List.of(bound("slow")), LATER + 1);
    assertThat(state.knownPods()).isEqualTo(1);
  }

  @Test
  void aReservationToldAgainAfterItWasTakenBackStaysTakenBack() {
    table.apply(List.of(reserved("p", "a", 100), takenBack("p", "a", 101)), 101);
    table.apply(List.of(reserved("p", "a", 100)), 102); // a question that was late
    assertThat(state.knownPods()).isZero();
    table.apply(List.of(reserved("p", "a", 103)), 103);
    assertThat(state.knownPods()).isEqualTo(1);
  }

  @Test
  void aBatchThatIsSentAgainMovesNoPodBack() {
    List<OutcomeEvent> batch = List.of(reserved("p", "a", 100));
    table.apply(batch, 101); // which was not acknowledged
    table.apply(List.of(reserved("p", "b", 102)), 102);
    table.apply(batch, 105);
    assertThat(state.nodeOf("p")).isEqualTo("b");
  }

  @Test
  void aReservationOutlivesTheListsOfOtherSchedulers() {
    table.apply(List.of(reserved("waits for a volume", "a", 100)), 100);
    assertThat(table.apply(list("theirs"), 100 + PodTable.RESERVED_SECONDS - 1)).isEmpty();
    table.apply(list("its own", assigned("waits for a volume")), 100 + PodTable.RESERVED_SECONDS);
    assertThat(table.apply(list("theirs too"), 130 + PodTable.RESERVED_SECONDS)).isEmpty();
    table.apply(List.of(bound("waits for a volume")), 140 + PodTable.RESERVED_SECONDS);
    assertThat(table.apply(list("none"), 160 + PodTable.RESERVED_SECONDS)).hasSize(1);
  }

  @Test
  void whoeverIsToldOfAfterItsEndIsGoneStill() {
    table.apply(List.of(bound("p"), gone("p")), 0);
    assertThat(table.apply(List.of(bound("p")), 1)).containsExactly("p");
    assertThat(state.knownPods()).isZero();
  }

  @Test
  void ofTooManyPodsThoseBeyondAreNotTakenInAndThoseKnownGoOnBeing() {
    PodTable small = new PodTable(state, 2);
    small.apply(List.of(bound("p0"), bound("p1")), 0);
    assertThat(small.apply(List.of(bound("invented"), bound("p1")), 1)).containsExactly("invented");
    assertThat(state.knownPods()).isEqualTo(2);
    assertThat(small.refused()).isEqualTo(1);
    small.apply(List.of(gone("p0"), bound("p2")), 2);
    assertThat(state.nodeOf("p2")).isEqualTo("a");
  }

  @Test
  void aPodHasOneNameAtATime() {
    PodNames names = new PodNames();
    names.placed(Pod.of("u", "o", 1, 1), "a");
    names.placed(pod("u"), "a");
    assertThat(names.named("shop", "web-0")).isEqualTo(new Named("u", "a"));
    Pod first = Pod.of("u", "o", 1, 1);
    assertThat(names.named(first.namespace(), first.name())).isNull();
  }

  @Test
  void aReservationThatNoListNamedIsGoneWhenNothingCanHoldItAnyLonger() {
    table.apply(List.of(reserved("its scheduler died", "a", 100)), 100);
    table.apply(list("of the next one"), 200);
    OutcomeEvent other = reserved("other", "a", 100);
    assertThat(table.apply(List.of(other), 99 + PodTable.RESERVED_SECONDS)).isEmpty();
    assertThat(table.apply(List.of(other), 101 + PodTable.RESERVED_SECONDS))
        .containsExactly("its scheduler died");
    assertThat(state.nodeOf("its scheduler died")).isNull();
  }

  @Test
  void reservationsThatAreForgottenAreNoEndsOfPods() {
    double now = 101 + PodTable.RESERVED_SECONDS;
    for (int i = 0; i < 100; i++) {
      table.apply(List.of(reserved("p" + i, "a", 100)), 100);
    }
    table.apply(list("of the next one"), 200);
    assertThat(table.apply(List.of(), now)).hasSize(100);
    state.deciding(Given.nodes("a"), now);
    double[] survival = new double[1];
    state.expectedPodCpu(Pod.of("next", "o", 100, 100), now, new double[] {3600}, survival);
    assertThat(survival).containsExactly(1);
  }

  @Test
  void aPodThatIsReservedAgainWithinALateBatchIsNotToBeForgotten() {
    table.apply(List.of(reserved("p", "a", 100), takenBack("p", "a", 101)), 101); // questions
    List<OutcomeEvent> batch =
        List.of(reserved("p", "a", 100), takenBack("p", "a", 101), reserved("p", "a", 103));
    assertThat(table.apply(batch, 103)).isEmpty();
    assertThat(state.nodeOf("p")).isEqualTo("a");
  }

  @Test
  void aReservationThatNoListNamedStaysOnceItIsHeardOfAgain() {
    table.apply(List.of(reserved("p", "a", 100)), 100);
    table.apply(list("of another"), 200);
    table.apply(List.of(bound("p")), 101 + PodTable.RESERVED_SECONDS);
    assertThat(state.nodeOf("p")).isEqualTo("a");
  }

  @Test
  void takingAReservationBackDoesNotTakeBackALaterOne() {
    OutcomeEvent first = reserved("p", "a", 100);
    OutcomeEvent back = takenBack("p", "a", 101);
    table.apply(List.of(first, back, reserved("p", "a", 103)), 103); // a question was first
    table.apply(List.of(first, back), 103.2);
    assertThat(state.nodeOf("p")).isEqualTo("a");
  }

  @Test
  void aBoundPodIsNotTakenBackByWhatWasToldBefore() {
    table.apply(List.of(reserved("p", "a", 100), takenBack("p", "a", 101)), 101);
    table.apply(List.of(reserved("p", "a", 103)), 103);
    table.apply(List.of(bound("p")), 104);
    table.apply(List.of(takenBack("p", "a", 101)), 105);
    assertThat(state.nodeOf("p")).isEqualTo("a");
  }

  @Test
  void aPodThatIsGoneIsGoneWhereverItWasBelievedToBe() {
    table.apply(List.of(reserved("p", "a", 100)), 100);
    table.apply(List.of(new OutcomeEvent(Type.GONE, 105, null, "p", "b", null)), 105);
    assertThat(state.knownPods()).isZero();
  }

  private static OutcomeEvent reserved(String uid, String node, double at) {
    return new OutcomeEvent(Type.RESERVED, at, null, uid, node, Pod.of(uid, "o", 100, 100));
  }

  private static OutcomeEvent takenBack(String uid, String node, double at) {
    return new OutcomeEvent(Type.UNRESERVED, at, null, uid, node, null);
  }

  private static List<OutcomeEvent> list(String id, OutcomeEvent... named) {
    List<OutcomeEvent> list = new ArrayList<>();
    list.add(mark(Type.LIST_BEGIN, id));
    list.addAll(List.of(named));
    list.add(mark(Type.LIST_END, id));
    return list;
  }

  private static OutcomeEvent mark(Type type, String list) {
    return new OutcomeEvent(type, LATER, null, list, null, null);
  }

  private static OutcomeEvent bound(String uid) {
    return placed(Type.BOUND, uid);
  }

  private static OutcomeEvent assigned(String uid) {
    return placed(Type.ASSIGNED, uid);
  }

  private static OutcomeEvent placed(Type type, String uid) {
    return new OutcomeEvent(type, 0, null, uid, "a", Pod.of(uid, "o", 100, 100));
  }
}
