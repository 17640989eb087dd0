package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.config.DataSize;
import dev.berth.service.config.StoreConfig;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Without;
import dev.berth.service.task.Tasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoreTest {
  private static final Clock NOON = Clock.fixed(Instant.ofEpochSecond(1_000_000), ZoneOffset.UTC);
  private static final DataSize MIB = new DataSize(1 << 20);
  private static final StoreConfig CONFIG =
      new StoreConfig("", MIB, MIB, MIB, 2, 100, Duration.ofDays(1), Duration.ofMinutes(1));
  private static final Pod POD =
      new Pod(
          "u1",
          "web-1",
          "shop",
          "shop/ReplicaSet/web",
          5,
          250,
          1 << 26,
          new GpuRequest(1, 500, List.of("T4", "A10")),
          new LatencyLimits(35, Double.NaN));
  @TempDir Path folder;

  @Test
  void aRunningPodComesBackAsItWas() throws Exception {
    try (ExperienceStore store = open()) {
      commit(store, event(Type.BOUND, 10, "n1"));
    }
    try (ExperienceStore store = open()) {
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n1", 10));
    }
  }

  @Test
  void aPodReportedTwiceKeepsTheTimeItCame() throws Exception {
    try (ExperienceStore store = open()) {
      commit(store, event(Type.RESERVED, 10, "n1"));
      commit(store, event(Type.BOUND, 11, "n1"));
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n1", 10));
      commit(store, event(Type.BOUND, 20, "n2"));
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n2", 20));
    }
  }

  @Test
  void ofAPodThatNobodyAskedAboutOnlyThatItRunsIsKept() throws Exception {
    try (ExperienceStore store = open();
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement sql = other.createStatement()) {
      commit(store, new OutcomeEvent(Type.RESERVED, 10, null, "u1", "n1", POD));
      commit(store, new OutcomeEvent(Type.BOUND, 11, null, "u1", "n1", POD));
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n1", 10));
      String rows = "SELECT count(*) FROM outcomes";
      assertThat(sql.executeQuery(rows).getInt(1)).isZero();
      commit(store, event(Type.BOUND, 12, "n1"));
      assertThat(sql.executeQuery(rows).getInt(1)).as("of a decision").isEqualTo(1);
    }
  }

  @Test
  void aPodThatIsGoneRunsNoMore() throws Exception {
    try (ExperienceStore store = open()) {
      commit(store, event(Type.BOUND, 10, "n1"));
      commit(store, new OutcomeEvent(Type.UNRESERVED, 11, null, "u1", "n2", null));
      assertThat(store.runningPods(100)).as("taken back elsewhere").hasSize(1);
      commit(store, new OutcomeEvent(Type.GONE, 12, null, "u1", "n1", null));
      assertThat(store.runningPods(100)).isEmpty();
    }
  }

  @Test
  void aPodTakenBackAndReservedAgainInOneBatchRuns() throws Exception {
    try (ExperienceStore store = open()) {
      OutcomeEvent back = new OutcomeEvent(Type.UNRESERVED, 11, null, "u1", "n1", null);
      store
          .happened(List.of(event(Type.RESERVED, 10, "n1"), back, event(Type.RESERVED, 12, "n1")))
          .get(10, TimeUnit.SECONDS);
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n1", 12));
    }
  }

  @Test
  void whereTheOtherPluginsWouldHavePutAPodIsKeptWithItsDecision() throws Exception {
    Without without = new Without("n2", 193, 188, 1);
    Without stock = new Without("n3", 201, 201, 2);
    try (ExperienceStore store = open()) {
      store.decided(decision("u1/1", 1_000_000, 10, 100, 40));
      commit(store, new OutcomeEvent(Type.BOUND, 1_000_001, "u1/1", POD.uid(), "n1", POD, without));
      store.reckoned("u1/1", stock);
      commit(store, event(Type.BOUND, 1_000_002, "n1")); // told again, without it
      assertThat(store.decision("u1/1").orElseThrow())
          .returns(without, StoredDecision::without)
          .returns(stock, StoredDecision::reckoned);
    }
  }

  @Test
  void decisionsGatherBeforeTheyAreWrittenAndAnOutcomeWaitsForNoneOfThem() throws Exception {
    try (ExperienceStore store = open()) {
      long begun = System.nanoTime();
      for (int i = 0; i < 40; i++) {
        store.decided(decision("u1/" + i, 1_000_000, 10, 100, 40));
        TimeUnit.MILLISECONDS.sleep(1); // the writer has taken it
        commit(store, event(Type.BOUND, 1_000_000, "n1"));
        assertThat(store.decision("u1/" + i)).as("came before the outcome").isPresent();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .as("2 s if each waited for more decisions")
          .isLessThan(Duration.ofMillis(1_500));
    }
  }

  @Test
  void aDecisionIsFoundByIdAndByPodWithItsOutcomeAndItsReward() throws Exception {
    try (ExperienceStore store = open()) {
      store.decided(decision("u1/1", 1_000_000, 10, 100, 40));
      store.rewarded(List.of(new RewardRecord("u1/1", 1_000_060, 0.25)));
      store.measured(List.of(new Measured("u1/1", 1, 1_000_346, 0.5, 0.25)));
      commit(store, event(Type.BOUND, 1_000_001, "n1"));
      StoredDecision found = store.decision("u1/1").orElseThrow();
      assertThat(found.node()).isEqualTo("n1");
      assertThat(found.reward()).isEqualTo(0.25);
      assertThat(found.measured()).isEqualTo(new StoredMeasurement(346, 0.5, 0.25, null));
      assertThat(found.at()).isEqualTo("1970-01-12T13:46:40Z");
      assertThat(found.candidates()).isEqualTo(3);
      assertThat(found.nodes())
          .as("the two best, best first")
          .contains(
              "\"node\":[\"n1\",\"n2\"]", "\"score\":[100,40]", "\"sampleAgeSeconds\":[1,null]");
      assertThat(store.decisionsOf("u1", 5)).containsExactly(found);
      assertThat(store.decisionsOf("shop/web-1", 5)).containsExactly(found);
      assertThat(store.decision("nope")).isEmpty();
    }
  }

  @Test
  void aPodWhoseReservationWasTakenBackWentNowhere() throws Exception {
    try (ExperienceStore store = open()) {
      store.decided(decision("u1/1", 1_000_000, 10, 100, 40));
      commit(store, event(Type.RESERVED, 1_000_001, "n1"));
      assertThat(store.decision("u1/1").orElseThrow().node()).isEqualTo("n1");
      commit(store, event(Type.UNRESERVED, 1_000_002, "n1"));
      assertThat(store.decision("u1/1").orElseThrow().node()).isNull();
      assertThat(store.newest(1)).extracting(DecisionLine::node).containsOnlyNulls();
      commit(store, event(Type.BOUND, 1_000_003, "n2"));
      assertThat(store.decision("u1/1").orElseThrow().node()).isEqualTo("n2");
    }
  }

  /** The scheduler draws by lot among them. */
  @Test
  void ofSeveralThatScoreBestTheOneThatThePodWentToIsThePreferred() throws Exception {
    try (ExperienceStore store = open()) { // which keeps two of three candidates
      store.decided(decision("u1/1", 1_000_000, 100, 40, 100));
      assertThat(preferred(store, "n2")).as("the second of the best").isEqualTo("n2");
      assertThat(preferred(store, "n0")).as("the first").isEqualTo("n0");
      assertThat(preferred(store, "n1")).as("it may have been as good").isNull();
      store.decided(decision("u1/1", 1_000_000, 100, 40, 60));
      assertThat(preferred(store, "n2")).as("another").isEqualTo("n0");
      assertThat(preferred(store, "n1")).as("another that is not kept").isEqualTo("n0");
      commit(store, event(Type.UNRESERVED, ++bound, "n1"));
      assertThat(store.newest(1).get(0).preferred()).as("nowhere yet").isEqualTo("n0");
    }
  }

  private double bound = 1_000_001;

  private String preferred(ExperienceStore store, String node) throws Exception {
    commit(store, event(Type.BOUND, ++bound, node));
    return store.newest(1).get(0).preferred();
  }

  @Test
  void ofAnOwnersPodsTheLastComesFirst() throws Exception {
    try (ExperienceStore store = open()) {
      store.decided(decision("u1/1", 1_000_000, 10, 100, 40));
      store.decided(decision("u2/1", 1_000_060, 10, 100, 40));
      commit(store, event(Type.BOUND, 1_000_061, "n1")); // once it is there, so is what came before
      assertThat(store.decisionsOfOwner(POD.owner(), 1))
          .extracting(StoredDecision::decision)
          .containsExactly("u2/1");
    }
  }

  @Test
  void oldDecisionsAreSweptAtTheStart() throws Exception {
    try (ExperienceStore store = open()) {
      store.decided(decision("old", 1_000_000 - 2 * 86_400, 1, 2, 3));
      store.decided(decision("new", 1_000_000, 1, 2, 3));
    }
    try (ExperienceStore store = open()) {
      while (store.decision("old").isPresent()) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(store.decision("new")).isPresent();
    }
  }

  @Test
  void aFullQueueDropsTheOldestAndRefusesOutcomes() throws Exception {
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    try (SqliteStore store = open()) {
      CompletableFuture<Void> held = hold(store, goesOn);
      try {
        CompletableFuture<Void> outcome = store.happened(List.of(event(Type.BOUND, 1, "n1")));
        decide(store, 3000);
        assertThat(outcome).isCompletedExceptionally();
        assertThat(store.queued()).isLessThan(1000);
        assertThat(store.dropped()).isGreaterThan(1000);
      } finally {
        goesOn.complete(null);
      }
      held.get();
    }
  }

  @Test
  void whatTheWriterHasInHandIsQueuedUntilItIsWritten() throws Exception {
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    try (SqliteStore store = open()) {
      CompletableFuture<Void> held = hold(store, goesOn);
      try {
        assertThat(store.queued()).isEqualTo(1);
      } finally {
        goesOn.complete(null);
      }
      held.get();
      assertThat(store.queued()).isZero();
    }
  }

  /** The writer stands still from now on; what it took with this it took before. */
  private static CompletableFuture<Void> hold(SqliteStore store, CompletableFuture<Void> goesOn)
      throws InterruptedException {
    CountDownLatch stands = new CountDownLatch(1);
    CompletableFuture<Void> held =
        store.submit(
            sql -> {
              stands.countDown();
              goesOn.join();
            },
            1);
    stands.await();
    return held;
  }

  private static void decide(ExperienceStore store, int count) {
    for (int i = 0; i < count; i++) {
      store.decided(decision("d" + i, 1_000_000 + i * 0.001, 1, 2, 3));
    }
  }

  @Test
  void theFileKeepsToItsSizeAndTheOldestDecisionsGo() throws Exception {
    try (SqliteStore store = open()) {
      for (int i = 0; i < 12_000; i++) {
        store.decided(decision("d" + i, 1_000_000 + i * 0.001, 1, 2, 3));
        if (i % 400 == 0) {
          commit(store, event(Type.BOUND, 1_000_000 + i * 0.001, "n1")); // waits for the writer
        }
      }
      commit(store, event(Type.BOUND, 1_000_100, "n1"));
      assertThat(store.decision("d11999")).isPresent();
      assertThat(store.decision("d0")).isEmpty();
      assertThat(store.dropped()).isZero();
      assertThat(store.runningPods(100)).hasSize(1);
    }
    assertThat(Files.size(file())).isLessThan(2 << 20);
  }

  @Test
  void whatIsLearnedLaterOfADecisionThatIsNotKeptTakesNoRoom() throws Exception {
    try (ExperienceStore store = open();
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement sql = other.createStatement()) {
      store.decided(decision("kept/1", 1_000_000, 10, 100, 40));
      for (String id : List.of("kept/1", "deleted/1")) {
        store.reckoned(id, new Without("n3", 201, 201, 2));
        store.rewarded(List.of(new RewardRecord(id, 1_000_200, 0.5)));
        store.measured(List.of(new Measured(id, 1, 1_000_345, 0.4, 0.3)));
      }
      commit(store, event(Type.BOUND, 1_000_400, "n1")); // after all of them
      for (String table : List.of("reckoned", "rewards", "measured")) {
        String rows = "SELECT group_concat(decision) FROM " + table;
        assertThat(sql.executeQuery(rows).getString(1)).as(table).isEqualTo("kept/1");
      }
    }
  }

  @Test
  void whenTheFileIsFullWhatReportsAreMadeOfStaysLongerThanDecisions() throws Exception {
    try (SqliteStore store = open()) {
      for (double age : new double[] {10_000, 30}) {
        store.chosen(
            new Choice("c" + age, 1_000_000 - age, "o", false, "n1", "n2", null, null, null));
      }
      for (int i = 0; i < 12_000; i++) {
        store.decided(decision("d" + i, 1_000_000 - 12 + i * 0.001, 1, 2, 3));
        if (i % 400 == 0) {
          commit(store, event(Type.BOUND, 1_000_000, "n1")); // waits for the writer
        }
      }
      commit(store, event(Type.BOUND, 1_000_000, "n1"));
      assertThat(store.decision("d0")).isEmpty();
      List<String> kept = new ArrayList<>();
      store.choices(0, choice -> kept.add(choice.decision()));
      assertThat(kept).containsExactly("c30.0");
    }
    assertThat(Files.size(file())).isLessThan(2 << 20);
  }

  /** Pods of Jobs have an owner each: there may be as many as there are pods. */
  @Test
  void ofOwnersOnlyThoseThatAReportNamesAreReadAndTheOthersCounted() throws Exception {
    try (SqliteStore store = open()) {
      for (int i = 0; i < 500; i++) {
        String owner = i % 10 == 0 ? "shop/web" : i % 25 == 1 ? "shop/api" : "jobs/Job/" + i;
        store.chosen(new Choice("c" + i, 990_000 + i, owner, true, "n1", "n1", 0.0, null, null));
      }
      commit(store, event(Type.BOUND, 1_000_000, "n1")); // once it is there, so is what came before
      assertThat(store.choiceOwners(990_000, 2))
          .isEqualTo(new ChoiceOwners(List.of("shop/web", "shop/api"), 432));
      assertThat(store.choiceOwners(990_500, 2)).isEqualTo(new ChoiceOwners(List.of(), 0));
    }
  }

  @Test
  void aFullDiskDropsAndCountsButAcceptsAndRecovers() throws Exception {
    try (SqliteStore store = open()) {
      commit(store, event(Type.BOUND, 9, "n1")); // and the first sweep after it
      store
          .submit(
              sql -> {
                throw new SQLException("database or disk is full", "", 13);
              },
              1)
          .get(10, TimeUnit.SECONDS);
      assertThat(store.dropped()).isEqualTo(1);
      assertThat(store.healthProblem().orElseThrow()).contains("disk is full", "scoring goes on");
      commit(store, event(Type.BOUND, 10, "n1"));
      assertThat(store.healthProblem()).isEmpty();
    }
  }

  /** The driver closes a statement that failed by anything but a constraint or a lock. */
  @Test
  void whatFailedOnceIsWrittenAgainWhenItsCauseIsGone() throws Exception {
    try (ExperienceStore store = open()) {
      commit(store, event(Type.BOUND, 10, "n1"));
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
          Statement sql = other.createStatement()) {
        sql.execute("ALTER TABLE outcomes RENAME TO away");
        assertThatThrownBy(() -> commit(store, event(Type.BOUND, 11, "n2")))
            .hasMessageContaining("outcomes");
        assertThat(store.healthProblem()).isPresent();
        sql.execute("ALTER TABLE away RENAME TO outcomes");
      }
      commit(store, event(Type.BOUND, 12, "n3"));
      assertThat(store.healthProblem()).isEmpty();
      assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n3", 12));
    }
  }

  /** Else the sender would keep it for ever, and whatever came after it: books without an end. */
  @Test
  void aDiskThatFailsForAMinuteStopsTheClustersEventsNoLonger() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(NOON.instant());
    InstantSource clock = now::get;
    try (SqliteStore store =
            SqliteStore.open(
                CONFIG, file(), clock.withZone(ZoneOffset.UTC), new Tasks(task -> () -> {}));
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement sql = other.createStatement()) {
      commit(store, event(Type.BOUND, 10, "n1"));
      sql.execute("ALTER TABLE outcomes RENAME TO away");
      assertThatThrownBy(() -> commit(store, event(Type.BOUND, 11, "n2")))
          .isInstanceOf(ExecutionException.class);
      now.set(now.get().plusSeconds(59));
      assertThatThrownBy(() -> commit(store, event(Type.BOUND, 11, "n2")))
          .isInstanceOf(ExecutionException.class);
      now.set(now.get().plusSeconds(1));
      commit(store, event(Type.BOUND, 11, "n2"));
      assertThat(store.healthProblem()).isPresent();
      assertThat(store.dropped()).isPositive();
      sql.execute("ALTER TABLE away RENAME TO outcomes");
      commit(store, event(Type.BOUND, 12, "n3"));
      sql.execute("ALTER TABLE outcomes RENAME TO away");
      assertThatThrownBy(() -> commit(store, event(Type.BOUND, 13, "n4")))
          .as("a minute from the first failure after what was written")
          .isInstanceOf(ExecutionException.class);
    }
  }

  /** SQLite goes on writing into a file that nobody can open any more. */
  @ParameterizedTest
  @ValueSource(strings = {"removed", "replaced", "emptied", "overwritten"})
  void aFileThatIsLostWhileItIsOpenTakesNothingThatIsAcknowledgedAlong(String how)
      throws Exception {
    try (SqliteStore store = open()) {
      commit(store, event(Type.BOUND, 10, "n1"));
      switch (how) {
        case "removed" -> Files.delete(file());
        case "replaced" -> {
          Path copy = Files.copy(file(), folder.resolve("copy"));
          Files.move(copy, file(), StandardCopyOption.REPLACE_EXISTING);
        }
        case "emptied" -> Files.write(file(), new byte[0]);
        default -> Files.writeString(file(), "something else");
      }
      try { // refused, unless the store's own work was before
        commit(store, event(Type.BOUND, 11, "n2"));
      } catch (ExecutionException refused) {
        assertThat(refused).hasMessageContaining(file().toString());
      }
      assertThat(store.healthProblem()).isPresent();
      if (!how.equals("overwritten")) { // what is somebody else's is left alone
        commit(store, event(Type.BOUND, 12, "n3"));
        assertThat(store.healthProblem().orElseThrow()).contains("was recorded before is lost");
        assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n3", 12));
      }
    }
    if (!how.equals("overwritten")) {
      try (ExperienceStore store = open()) {
        assertThat(store.runningPods(100)).containsExactly(new RunningPod(POD, "n3", 12));
      }
    }
  }

  /** What is newest stands in the first of them alone, until the end of the process or a minute. */
  @ParameterizedTest
  @ValueSource(strings = {"-wal", "-shm"})
  void aFileBesideItThatIsRemovedTakesNothingThatIsAcknowledgedAlong(String ending)
      throws Exception {
    Path killed = Files.createDirectory(folder.resolve("killed"));
    try (SqliteStore store = open()) {
      commit(store, event(Type.BOUND, 10, "n1"));
      Files.delete(folder.resolve(file().getFileName() + ending));
      Pod other = Pod.of("u2", "o", 100, 100);
      OutcomeEvent bound = new OutcomeEvent(Type.BOUND, 11, null, "u2", "n2", other);
      try { // refused, unless the store's own work was before
        commit(store, bound);
      } catch (ExecutionException refused) {
        assertThat(refused).hasMessageContaining(ending);
        commit(store, bound); // as who was refused does
      }
      assertThat(store.healthProblem()).isEmpty();
      assertThat(store.runningPods(100)).hasSize(2);
      for (String each : new String[] {"", "-wal", "-shm"}) { // as a kill leaves them
        Path file = folder.resolve(file().getFileName() + each);
        if (Files.exists(file)) {
          Files.copy(file, killed.resolve(file.getFileName()));
        }
      }
    }
    try (SqliteStore store =
        SqliteStore.open(
            CONFIG, killed.resolve(file().getFileName()), NOON, new Tasks(t -> () -> {}))) {
      assertThat(store.runningPods(100)).extracting(p -> p.pod().uid()).contains("u1", "u2");
    }
  }

  @Test
  void ofTooManyRunningPodsThoseThatCameLastAreReadBack() throws Exception {
    try (ExperienceStore store = open()) {
      List<OutcomeEvent> events = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Pod pod = Pod.of("p" + i, "o", 100, 100);
        events.add(new OutcomeEvent(Type.BOUND, 10 + i, null, pod.uid(), "n1", pod));
      }
      store.happened(events).get(10, TimeUnit.SECONDS);
      assertThat(store.runningPods(2)).extracting(p -> p.pod().uid()).containsExactly("p3", "p4");
    }
  }

  @Test
  void whatIsQueuedIsWrittenBeforeTheStoreCloses() {
    try (ExperienceStore store = open()) {
      for (int i = 0; i < 50; i++) {
        store.decided(decision("d" + i, 1_000_000, 1, 2, 3));
      }
    }
    try (ExperienceStore store = open()) {
      assertThat(store.decisionsOf("u1", 100)).hasSize(50);
    }
  }

  @Test
  void aFileOfANewerVersionIsRefusedWithTheWayOut() throws Exception {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement sql = db.createStatement()) {
      sql.execute("PRAGMA user_version = 99");
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("schema 99")
        .hasMessageContaining("store.file");
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedWithItsName() throws Exception {
    Files.writeString(file(), "this is no database, but long enough to look like one");
    assertThatThrownBy(this::open).hasMessageContaining("experience.db");
  }

  private Path file() {
    return folder.resolve("experience.db");
  }

  private SqliteStore open() {
    return SqliteStore.open(CONFIG, file(), NOON, new Tasks(task -> () -> {}));
  }

  private static void commit(ExperienceStore store, OutcomeEvent event) throws Exception {
    store.happened(List.of(event)).get(10, TimeUnit.SECONDS);
  }

  private static OutcomeEvent event(Type type, double at, String node) {
    return new OutcomeEvent(type, at, "u1/1", "u1", node, POD);
  }

  private static DecisionRecord decision(String id, double at, int... scores) {
    long[] longs = {1, 2, 3};
    int[] ints = {1, 2, 3};
    String[] names = {"n0", "n1", "n2"};
    Candidates candidates =
        new Candidates(
            names, longs, longs, ints, longs, longs, ints, longs, longs, ints, names, names, null);
    ScoreReply reply =
        new ScoreReply(id, scores, "test", Mode.ACTIVE, 3, "m3-s4", "i", 0.5, false, null, null);
    return new DecisionRecord(
        at,
        new ScoreRequest(id, "sched", Mode.ACTIVE, POD, candidates),
        reply,
        null,
        null,
        new double[] {2, 1, Double.NaN},
        null,
        null,
        null);
  }
}
