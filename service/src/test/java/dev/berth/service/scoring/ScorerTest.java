package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.PreferenceScale;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.ForecastErrors;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ScoringConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.OutcomeEvent.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ScorerTest {
  private static final ScoringConfig CONFIG = ConfigLoader.load(null, Map.of()).scoring();
  private final Moved clock = new Moved();
  private final List<DecisionRecord> decisions = new ArrayList<>();
  private final List<String> forgotten = new ArrayList<>();
  private final List<Measured> measured = new ArrayList<>();
  private final Map<String, Long> requested = new HashMap<>();
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final SharedState shared = new SharedState(state, clock.withZone(ZoneOffset.UTC));
  private final ServiceMetrics metrics = new ServiceMetrics();
  private final NodeTable nodes = new NodeTable();
  private Scorer scorer = scorer(Policies.byName("predict-then-greedy", new SplittableRandom(0)));

  @Test
  void theBusyNodeScoresLower() {
    scorer.score(request("a", "b"));
    observe("a", 50);
    observe("b", 5);
    assertThat(scorer.score(request("a", "b")).scores()).containsExactly(0, 100);
    assertThat(scorer.score(request("b", "a")).scores()).containsExactly(100, 0);
  }

  @Test
  void burst_does_not_herd() {
    scorer.score(request("a", "b"));
    observe("a", 10);
    observe("b", 12);
    int onA = 0;
    for (int i = 0; i < 20; i++) {
      // Each of an owner of its own: pods of one are kept apart by their requests alone.
      Pod pod = Pod.of("pod-" + i, "default/ReplicaSet/web-" + i, 2000, 1 << 30);
      int[] scores = scorer.score(request(pod, "a", "b")).scores();
      String node = scores[0] >= scores[1] ? "a" : "b";
      onA += node.equals("a") ? 1 : 0;
      bind(pod, node);
    }
    // No new sample came in: the ledger alone spreads the burst, with the head start evened out.
    assertThat(onA).isBetween(8, 14);
  }

  @Test
  void aRankingPrefersWhatAScoreDoesAndLeavesNothingBehind() {
    scorer.score(request("a", "b"));
    observe("a", 10);
    observe("b", 12);
    int before = decisions.size();
    NodeRanking ranking = scorer.rank(request("a", "b"));
    assertThat(decisions).hasSize(before);
    int[] scores = new int[2];
    PreferenceScale.scale(ranking.preferences(), scores);
    assertThat(scores).containsExactly(scorer.score(request("a", "b")).scores());
    assertThat(Arrays.stream(ranking.drops()).min().orElseThrow()).isPositive();
  }

  @Test
  void anIdleNodeWithoutMemoryForThePodScoresNothingAndIsLastInARanking() {
    scorer.score(request("a", "b", "c"));
    observe("a", 1, 280L << 30);
    observe("b", 50, 1e9);
    observe("c", 50, 1e9);
    // So small that its share of the memory costs less than its share of the cores.
    Pod pod = Pod.of("new", "default/ReplicaSet/web", 30_000, 1 << 28);
    ScoreRequest request =
        new ScoreRequest("d/2", "test", Mode.ACTIVE, pod, candidates("a", "b", "c"));
    assertThat(scorer.score(request).scores()).containsExactly(0, 100, 100);
    double[] base = decisions.get(decisions.size() - 1).base();
    assertThat(base[0]).as("what its base is made of stays as it was").isGreaterThan(base[1]);
    NodeRanking ranking = scorer.rank(request);
    assertThat(ranking.preferences()[0])
        .isLessThan(Math.min(ranking.preferences()[1], ranking.preferences()[2]));
  }

  @Test
  void aRankingSaysNothingWhereAnAnswerWouldBeNeutral() {
    observe("a", 1);
    assertThat(scorer.rank(request("a", "b", "c")).preferences()).containsOnly(Double.NaN);
    scorer = scorer(Policies.byName("least-allocated", new SplittableRandom(0)));
    assertThat(scorer.rank(request("a", "b")).preferences()).containsOnly(Double.NaN);
  }

  @Test
  void withNoSampleAtAllBookkeepingStillScores() {
    bind("one", "a");
    ScoreReply reply = scorer.score(request("a", "b"));
    assertThat(reply.reason()).isNull();
    assertThat(reply.scores()).containsExactly(0, 100);
  }

  @Test
  void withTooFewSamplesTheAnswerIsNeutralAndSaysWhy() {
    observe("a", 1);
    ScoreReply reply = scorer.score(request("a", "b", "c"));
    assertThat(reply.scores()).containsExactly(50, 50, 50);
    assertThat(reply.reason()).contains("1 of 3", "scoring.stale");
  }

  @Test
  void aStaleSampleIsUnknown() {
    observe("a", 1);
    observe("b", 1);
    clock.seconds += 299;
    observe("a", 1);
    clock.seconds += 2;
    assertThat(scorer.score(request("a", "b", "c")).reason()).contains("1 of 3");
  }

  @Test
  void expired_is_not_unschedulable() {
    scorer.score(request("a", "b"));
    observe("a", 1);
    observe("b", 1);
    clock.seconds += 3600;
    ScoreReply reply = scorer.score(request("a", "b"));
    assertThat(reply.scores()).hasSize(2);
    assertThat(reply.reason()).isNull();
  }

  @Test
  void aNodeOfWhichNothingCanBeSaidIsMaskedAlone() {
    for (String policy : new String[] {"predict-then-greedy", "dqn"}) {
      AgentConfig dqn = AgentConfig.defaults(AgentKind.DQN);
      scorer =
          scorer(
              policy.equals("dqn")
                  ? new LearnedPolicy(
                      dqn, Weights.random(AgentNetwork.spec(dqn), new SplittableRandom(1)))
                  : Policies.byName(policy, new SplittableRandom(0)));
      observe("a", 5);
      observe("b", 50);
      observe("c", 5);
      int[] without = scorer.score(request("a", "b")).scores();
      for (int column = 0; column < 3; column++) {
        Candidates candidates = candidates("a", "c", "b");
        candidates.cpuMilli()[1] *= column == 0 ? 0 : 1;
        candidates.memoryBytes()[1] *= column == 1 ? 0 : 1;
        candidates.podLimit()[1] *= column == 2 ? 0 : 1;
        Pod pod = Pod.of("new", "default/ReplicaSet/web", 2000, 1 << 30);
        int[] scores =
            scorer.score(new ScoreRequest("d/1", "test", Mode.ACTIVE, pod, candidates)).scores();
        assertThat(scores).containsExactly(without[0], 50, without[1]);
        DecisionRecord record = decisions.get(decisions.size() - 1);
        assertThat(record.sampleAge()[1]).isNaN();
        if (record.learnable() != null) {
          assertThat(record.learnable().candidates().names()).containsExactly("a", "b");
          for (float x : record.learnable().state().rows().all().after()) {
            assertThat(x).isFinite();
          }
        }
      }
    }
  }

  @Test
  void aPolicyThatGivesNonsenseStillGetsAValidAnswer() {
    scorer = scorer(policy((d, p) -> Arrays.fill(p, Double.NaN)));
    assertThat(scorer.score(request("a", "b")).scores()).containsExactly(50, 50);
  }

  @Test
  void thePropensityIsSharedByThoseThatTieForTheBest() {
    scorer = scorer(policy((d, p) -> p[0] = -1));
    assertThat(scorer.score(request("a", "b", "c")).propensity()).isEqualTo(0.5);
  }

  @Test
  void equalNodesTieThoughTheirPodsCameInAnotherOrder_seed1() {
    Random random = new Random(1);
    List<Integer> milli = new ArrayList<>(random.ints(40, 1, 900).boxed().toList());
    for (String node : List.of("a", "b", "c")) {
      Collections.shuffle(milli, random);
      for (int i = 0; i < milli.size(); i++) {
        Pod pod = Pod.of(node + i, "default/ReplicaSet/same", milli.get(i), 1 << 20);
        scorer.intake().apply(List.of(new OutcomeEvent(Type.BOUND, 0, null, pod.uid(), node, pod)));
        requested.merge(node, pod.cpuMilli(), Long::sum);
      }
    }
    clock.seconds += 600;
    double[] base = new double[3];
    shared.with(state -> score(state, base));
    assertThat(Arrays.stream(base).distinct().count()).as("rounding differs").isGreaterThan(1);
    ScoreReply tie = scorer.score(request("a", "b", "c"));
    assertThat(tie.scores()).containsExactly(50, 50, 50);
    assertThat(tie.propensity()).isEqualTo(1.0 / 3);
    bind("more", "c");
    ScoreReply two = scorer.score(request("a", "b", "c"));
    assertThat(two.scores()).containsExactly(100, 100, 0);
    assertThat(two.propensity()).isEqualTo(0.5);
  }

  private void score(ClusterState state, double[] preferences) {
    ScoreRequest request = request("a", "b", "c");
    PredictThenGreedy.best()
        .score(new Decision(scorer.now(), request.pod(), request.candidates(), state), preferences);
  }

  @Test
  void theBasisChangesWithTheModelAndWithTheMeasurements() {
    String before = scorer.score(request("a", "b")).basis();
    observe("a", 1);
    String measured = scorer.score(request("a", "b")).basis();
    scorer.serve(new Serving(policy((d, p) -> {}), 7));
    assertThat(List.of(before, measured, scorer.score(request("a", "b")).basis()))
        .doesNotHaveDuplicates();
    assertThat(scorer.score(request("a", "b")).modelVersion()).isEqualTo(7);
  }

  @Test
  void forecastsAreHeldAgainstWhatCameAndTheMetricsSayHowGoodTheyWere() {
    scorer.forecasts().register(metrics);
    scorer.whatIf(Pod.of("x", "o", 100, 100), candidates("a", "b")); // never held against anybody
    for (int half = 0; half < 20; half++) {
      observe("a", 2);
      observe("b", 2);
      clock.seconds += 30;
    }
    scorer.score(request("a", "b"));
    assertThat(text())
        .contains("berth_forecast_inside_80{horizon=\"5m\"} NaN\n")
        .contains("berth_forecast_outcomes{horizon=\"5m\"} 0.0\n");
    for (int half = 0; half < 13; half++) {
      observe("a", 2);
      observe("b", 2 + 32);
      clock.seconds += 30;
    }
    ForecastErrors.Accuracy soon = scorer.forecasts().accuracy().get("5m");
    assertThat(soon.outcomes()).isEqualTo(2);
    assertThat(soon.inside()).isEqualTo(0.5);
    assertThat(soon.bias()).isCloseTo(0.25, within(0.05)); // half a node more on one of two
    assertThat(text()).contains("berth_forecast_inside_80{horizon=\"5m\"} 0.5\n");
    assertThat(scorer.forecasts().accuracy()).containsOnlyKeys("now", "5m");
  }

  @Test
  void fiveMinutesAfterABindItsNodeIsLookedAtWithAndWithoutThePod() {
    scorer.score(request("a", "b"));
    Pod pod = Pod.of("mine", "default/ReplicaSet/web", 8000, 1 << 30);
    bound("d/1", pod);
    for (int half = 0; half < 11; half++) {
      clock.seconds += 30;
      observe("a", 16);
    }
    assertThat(measured).as("too early").isEmpty();
    clock.seconds += 30;
    observe("a", 16);
    observe("a", 16);
    assertThat(measured).as("once").hasSize(1);
    Measured only = measured.get(0);
    assertThat(only.decision()).isEqualTo("d/1");
    assertThat(only.usage()).isEqualTo(16 / 64.0);
    assertThat(only.without()).isBetween(0.01, only.usage() - 0.05); // the pod's own share is off
  }

  @Test
  void ofTenThousandDecisionsAMinuteAllAreLookedAtAndOfTenTimesAsManyTheRestIsCounted() {
    scorer.score(request("a", "b"));
    Pod pod = Pod.of("mine", "default/ReplicaSet/web", 100, 1 << 20);
    int sixMinutes = 60_000;
    for (int i = 0; i < sixMinutes; i++) {
      bound("6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/" + i, pod);
    }
    assertThat(scorer.intake().unmeasured()).isZero();
    for (int i = 0; i < 9 * sixMinutes; i++) {
      bound("6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a12/" + i, pod);
    }
    assertThat(scorer.intake().unmeasured()).isPositive();
    clock.seconds += 350;
    observe("a", 1);
    assertThat(measured.size() + scorer.intake().unmeasured()).isEqualTo(10 * sixMinutes);
    assertThat(measured).hasSizeGreaterThanOrEqualTo(sixMinutes);
  }

  private void bound(String decision, Pod pod) {
    scorer
        .intake()
        .apply(List.of(new OutcomeEvent(Type.BOUND, clock.seconds, decision, pod.uid(), "a", pod)));
  }

  private String text() {
    return new String(metrics.text(), StandardCharsets.UTF_8);
  }

  @Test
  void aWhatIfIsNotRecorded() {
    scorer.whatIf(Pod.of("x", "o", 100, 100), candidates("a", "b"));
    assertThat(decisions).isEmpty();
    scorer.score(request("a", "b"));
    assertThat(decisions).hasSize(1);
  }

  @Test
  void aDecisionThatWaitsToBeRecordedCountsItsForecastAsMemory() {
    scorer.score(request("a", "b"));
    DecisionRecord record = decisions.get(0);
    assertThat(record.learnable()).isNull();
    int expected = 2 * PredictThenGreedy.HORIZONS.length;
    assertThat(record.bytes()).isGreaterThanOrEqualTo(600 + Double.BYTES * expected);
  }

  @Test
  void podsThatAskForCardsAndPodsThatDoNotAreNotInEachOthersWay() {
    Pod gpu =
        new Pod(
            "g", "g", "ns", "o", 0, 1, 1, new GpuRequest(1, 500, List.of()), LatencyLimits.NONE);
    shared.with(
        held -> {
          ScoreReply reply =
              CompletableFuture.supplyAsync(
                      () -> scorer.whatIf(gpu, Given.gpuNodes(new int[][] {{1000}, {500}})))
                  .orTimeout(10, TimeUnit.SECONDS)
                  .join();
          assertThat(reply.gpuCards()).isNotNull();
        });
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theWorkloadOfGpuPodsIsWorkedOutFromTheNodesThatAreKnown() {
    nodes.update(gpuRequest(0).candidates(), clock.seconds);
    int pods = 0;
    ScoreReply reply;
    do {
      reply = scorer.score(gpuRequest(pods++));
    } while (!reply.policy().equals("gpu-value"));
  }

  /** A batch is taken in some at a time; the store forgets who is named after all of it. */
  @Test
  void aPodThatALongBatchTellsOfTwiceIsNotForgotten() {
    clock.seconds = 1_000;
    Pod pod = Pod.of("retried", "default/ReplicaSet/web", 100, 1);
    OutcomeEvent first = new OutcomeEvent(Type.RESERVED, 990, null, pod.uid(), "a", pod);
    OutcomeEvent back = new OutcomeEvent(Type.UNRESERVED, 991, null, pod.uid(), "a", null);
    scorer.intake().apply(List.of(first, back)); // as news with a question
    List<OutcomeEvent> batch = new ArrayList<>(List.of(first, back));
    for (int i = 0; i < 200; i++) {
      batch.add(new OutcomeEvent(Type.GONE, 992, null, "other-" + i, null, null));
    }
    batch.add(new OutcomeEvent(Type.BOUND, 993, null, pod.uid(), "b", pod));
    scorer.intake().apply(batch);
    assertThat(state.nodeOf(pod.uid())).isEqualTo("b");
    assertThat(forgotten).isEmpty();
  }

  /** Else the version's own figures count pods that it had no part in. */
  @Test
  void aPodThatIsPlacedByItsCardsIsNoDecisionOfTheModelThatServes() {
    scorer.serve(new Serving(PredictThenGreedy.best(), 7));
    assertThat(scorer.score(request("a", "b")).modelVersion()).isEqualTo(7);
    ScoreReply reply = scorer.score(gpuRequest(0));
    assertThat(reply.policy()).isEqualTo("best-fit");
    assertThat(reply.modelVersion()).as("as of any policy that does not learn").isZero();
    assertThat(reply.basis()).startsWith("m0-");
    assertThat(scorer.tally().versions()).containsExactly(0L, 7L);
  }

  private static ScoreRequest gpuRequest(int pod) {
    Pod gpu =
        new Pod(
            "g" + pod,
            "g",
            "ns",
            "o",
            0,
            1,
            1,
            new GpuRequest(1, 500, List.of()),
            LatencyLimits.NONE);
    return new ScoreRequest(
        "d/g" + pod, "test", Mode.ACTIVE, gpu, Given.gpuNodes(new int[][] {{1000}, {500}}));
  }

  @Test
  void whatPodsUseIsLearnedOfTheirOwner() {
    clock.seconds = 1_000_000;
    bind("one", "a");
    bind("two", "b");
    double before = state.ownerRatio("default/ReplicaSet/web");
    for (int i = 0; i < 20; i++) {
      clock.seconds += 60;
      scorer.intake().observe(List.of(used("one", 1.6), used("two", 1.6), used("nobody", 99)));
    }
    assertThat(before).isLessThan(0.7);
    assertThat(state.ownerRatio("default/ReplicaSet/web")).isCloseTo(0.8, within(0.05));
  }

  private PodSample used(String uid, double cores) {
    return new PodSample(uid, clock.seconds - 60, clock.seconds, cores, 1e8);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aQuestionWaitsAMillisecondForPodsAndNotForAllOfThem() throws Exception {
    List<Integer> takenInBefore = Collections.synchronizedList(new ArrayList<>());
    List<Thread> questions = new ArrayList<>();
    int[] taken = {0};
    List<PodSample> all =
        new AbstractList<>() {
          @Override
          public int size() {
            return 5_000;
          }

          /** Called with the lock held. */
          @Override
          public PodSample get(int index) {
            taken[0]++;
            if (index == 1_000) {
              Thread question = new Thread(() -> shared.with(held -> takenInBefore.add(taken[0])));
              questions.add(question);
              question.start();
              while (question.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              LockSupport.parkNanos(2_000_000); // as long as some hundred samples may take
            }
            return used("pod-" + index, 1);
          }
        };
    scorer.intake().observe(all);
    for (Thread question : questions) {
      question.join();
    }
    assertThat(takenInBefore).containsExactly(1_001);
  }

  /** 100,000 events once held the lock for 5 s. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aQuestionThatWaitsIsNextThoughALongBatchIsBeingTakenIn() throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    // One question in every pause: an unfair lock may let a single one in by chance.
    List<Thread> questions = new ArrayList<>();
    List<OutcomeEvent> batch =
        new AbstractList<>() {
          @Override
          public OutcomeEvent get(int index) {
            return new OutcomeEvent(Type.GONE, clock.seconds, null, "pod-" + index, "a", null);
          }

          @Override
          public int size() {
            return 2000;
          }

          /** Called with the lock held. */
          @Override
          public List<OutcomeEvent> subList(int from, int to) {
            Thread question = new Thread(() -> shared.with(held -> order.add("question")));
            questions.add(question);
            question.start();
            while (question.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            order.add("events");
            return super.subList(from, to);
          }
        };
    scorer.intake().apply(batch);
    for (Thread question : questions) {
      question.join();
    }
    List<String> byTurns =
        Stream.generate(() -> Stream.of("events", "question"))
            .limit(20)
            .flatMap(turn -> turn)
            .toList();
    assertThat(order).isEqualTo(byTurns);
  }

  @Test
  void outcomesReportedTwiceCountOnce() {
    bind("one", "a");
    bind("one", "a");
    assertThat(scorer.runningPods()).isEqualTo(1);
    assertThat(state.knownPods()).isEqualTo(1);
  }

  @Test
  void aReservationTakenBackOnOneNodeKeepsThePodOnAnother() {
    bind("one", "a");
    bind("one", "b");
    scorer
        .intake()
        .apply(List.of(new OutcomeEvent(Type.UNRESERVED, clock.seconds, null, "one", "a", null)));
    assertThat(scorer.runningPods()).isEqualTo(1);
  }

  @Test
  void aBindReportedAfterTheEndDoesNotBringThePodBack() {
    scorer
        .intake()
        .apply(List.of(new OutcomeEvent(Type.GONE, clock.seconds, null, "one", "a", null)));
    bind("one", "a");
    assertThat(scorer.runningPods()).isZero();
  }

  @Test
  void restoredPodsThatTheFullListDoesNotNameAreForgotten() {
    scorer
        .intake()
        .restore(
            List.of(
                new RunningPod(Pod.of("old", "o", 100, 100), "a", 10),
                new RunningPod(Pod.of("alive", "o", 100, 100), "a", 10)));
    assertThat(scorer.runningPods()).isEqualTo(2);
    scorer.intake().apply(List.of(mark(Type.LIST_BEGIN), placed(Type.ASSIGNED, "alive", "a")));
    assertThat(scorer.runningPods()).as("the list is still under way").isEqualTo(2);
    scorer.intake().apply(List.of(mark(Type.LIST_END)));
    assertThat(scorer.runningPods()).isEqualTo(1);
    assertThat(forgotten).containsExactly("old");
  }

  @Test
  void aDecisionTellsOfItsOwnersOtherPodsAsTheyWereBeforeItsOwnWasPlaced() {
    scorer.score(request("a", "b"));
    String owner = decisions.get(0).request().pod().owner();
    place("first", owner, "b");
    scorer.score(request("a", "b"));
    place("second", owner, "b");
    assertThat(decisions.get(0).ownerPods()).containsExactly(0, 0);
    assertThat(decisions.get(1).ownerPods()).containsExactly(0, 1);
    scorer.whatIf(decisions.get(1).request().pod(), decisions.get(1).request().candidates());
    assertThat(decisions).hasSize(2);
  }

  private void place(String uid, String owner, String node) {
    Pod pod = Pod.of(uid, owner, 100, 100);
    scorer
        .intake()
        .apply(List.of(new OutcomeEvent(Type.BOUND, clock.seconds, "d/" + uid, uid, node, pod)));
  }

  private OutcomeEvent mark(Type type) {
    return new OutcomeEvent(type, clock.seconds, null, "list-1", null, null);
  }

  private Scorer scorer(Policy policy) {
    return new Scorer(
        CONFIG,
        new Serving(policy, 0),
        shared,
        nodes,
        metrics,
        "test",
        new ScorerSink() {
          @Override
          public void decided(DecisionRecord decision) {
            decisions.add(decision);
          }

          @Override
          public void happened(List<OutcomeEvent> events) {}

          @Override
          public void measured(List<Measured> some) {
            measured.addAll(some);
          }

          @Override
          public void forgotten(List<String> podUids) {
            forgotten.addAll(podUids);
          }
        },
        Runnable::run);
  }

  private void observe(String node, double cores) {
    observe(node, cores, 1e9);
  }

  private void observe(String node, double cores, double bytes) {
    long now = clock.seconds;
    scorer
        .intake()
        .observe(List.of(new NodeSample(node, now - 60, now, cores, bytes, 5, Double.NaN)), now);
  }

  private void bind(String uid, String node) {
    bind(web(uid), node);
  }

  private void bind(Pod pod, String node) {
    requested.merge(node, 2000L, Long::sum);
    scorer.intake().apply(List.of(placed(Type.BOUND, pod, node)));
  }

  private OutcomeEvent placed(Type type, String uid, String node) {
    return placed(type, web(uid), node);
  }

  private OutcomeEvent placed(Type type, Pod pod, String node) {
    return new OutcomeEvent(type, clock.seconds, null, pod.uid(), node, pod);
  }

  private static Pod web(String uid) {
    return Pod.of(uid, "default/ReplicaSet/web", 2000, 1 << 30);
  }

  private ScoreRequest request(String... nodes) {
    return request(web("new"), nodes);
  }

  private ScoreRequest request(Pod pod, String... nodes) {
    return new ScoreRequest("d/1", "test", Mode.ACTIVE, pod, candidates(nodes));
  }

  private Candidates candidates(String... nodes) {
    Candidates candidates = Given.nodes(nodes);
    Arrays.setAll(candidates.cpuRequestedMilli(), i -> requested.getOrDefault(nodes[i], 0L));
    return candidates;
  }

  private interface Body {
    void score(Decision decision, double[] preferences);
  }

  private static Policy policy(Body body) {
    return new Policy() {
      @Override
      public String name() {
        return "test";
      }

      @Override
      public void score(Decision decision, double[] preferences) {
        body.score(decision, preferences);
      }
    };
  }

  private static final class Moved implements InstantSource {
    long seconds = 1_000_000;

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(seconds);
    }
  }
}
