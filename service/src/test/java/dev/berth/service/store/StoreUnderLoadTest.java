package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.Given;
import dev.berth.service.config.DataSize;
import dev.berth.service.config.StoreConfig;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.task.Tasks;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand decisions of 100 candidates and the binds of their pods, as fast as they can be
 * offered: more than a minute's worth of the busiest cluster at once.
 */
class StoreUnderLoadTest {
  private static final int DECISIONS = 10_000;
  private static final double NOON = 1_800_000_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Candidates NODES = nodes();
  private static final DataSize LARGE = new DataSize(1L << 30);
  @TempDir private Path folder;

  private static Candidates nodes() {
    String[] names = new String[100];
    Arrays.setAll(names, i -> "node-" + i);
    return Given.nodes(names);
  }

  @Test
  void nothingAcknowledgedIsLostAndWhatIsDroppedIsCounted() throws Exception {
    DataSize queue = new DataSize(2 << 20);
    Set<String> acknowledged = new HashSet<>();
    int refused = 0;
    long offered = 0;
    long dropped;
    try (ExperienceStore store = open(queue)) {
      List<CompletableFuture<Void>> binds = new ArrayList<>();
      for (int i = 0; i < DECISIONS; i++) {
        store.decided(decision(i));
        binds.add(store.happened(List.of(bound(i))));
        offered += 2;
        assertThat(store.queued()).as("at most 2 MiB wait").isLessThan(2 * 2_100);
      }
      for (int i = 0; i < DECISIONS; i++) {
        try {
          binds.get(i).get(60, TimeUnit.SECONDS);
          acknowledged.add("uid-" + i);
        } catch (java.util.concurrent.ExecutionException e) {
          assertThat(e).hasMessageContaining("send the batch again");
          refused++;
        }
      }
      dropped = store.dropped();
    }
    assertThat(dropped).as("the queue was too small").isPositive();
    assertThat(acknowledged.size() + refused).isEqualTo(DECISIONS);
    try (ExperienceStore store = open(queue)) {
      assertThat(store.runningPods(100_000).stream().map(RunningPod::pod).map(Pod::uid))
          .containsExactlyInAnyOrderElementsOf(acknowledged);
    }
    assertThat(count("decisions") + acknowledged.size() + dropped).isEqualTo(offered);
  }

  @Test
  void aMinutesWorthWaitsInTheQueueThatIsTheDefaultAndAllOfItIsWritten() throws Exception {
    long begin = System.nanoTime();
    try (ExperienceStore store = open(new DataSize(32 << 20))) {
      CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
      for (int i = 0; i < DECISIONS; i++) {
        store.decided(decision(i));
        last = store.happened(List.of(bound(i)));
        if (i % 1_000 == 999) {
          last.get(60, TimeUnit.SECONDS); // six seconds' worth at once
        }
      }
      last.get(60, TimeUnit.SECONDS);
      assertThat(store.dropped()).isZero();
    }
    System.out.printf(
        "%d decisions and binds on disk after %d ms%n",
        DECISIONS, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    assertThat(count("decisions")).isEqualTo(DECISIONS);
    assertThat(count("outcomes")).isEqualTo(DECISIONS);
  }

  @Test
  void aMinutesWorthIsRecordedWholeAndOfDecisionsBeyondTheTenBestCandidates() throws Exception {
    int minute = 60;
    try (ExperienceStore store = open(new DataSize(32 << 20), 1)) {
      for (int i = 0; i < 3 * minute; i++) {
        store.decided(decision(i, NOON));
      }
      store.decided(decision(3 * minute, NOON + minute));
      store.happened(List.of(bound(0))).get(60, TimeUnit.SECONDS);
      List<Integer> kept = new ArrayList<>();
      for (StoredDecision decision : store.decisions(3 * minute + 1)) {
        kept.add(JSON.readTree(decision.nodes()).get("node").size());
      }
      assertThat(kept.get(0)).as("a minute later").isEqualTo(NODES.size());
      assertThat(kept).hasSize(3 * minute + 1).containsOnly(NODES.size(), 10);
      assertThat(kept.stream().filter(n -> n == NODES.size()).count())
          .as("of the last some by lot")
          .isBetween(minute - 2L, minute + 1L);
    }
  }

  private ExperienceStore open(DataSize queue) {
    return open(queue, DECISIONS);
  }

  private ExperienceStore open(DataSize queue, int wholePerSecond) {
    Duration keep = Duration.ofDays(14);
    return SqliteStore.open(
        new StoreConfig("", LARGE, queue, LARGE, 100, wholePerSecond, keep, Duration.ofMinutes(1)),
        folder.resolve("experience.db"),
        Clock.systemUTC(),
        new Tasks(task -> () -> {}));
  }

  private long count(String table) throws Exception {
    try (Connection db =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("experience.db"));
        ResultSet row = db.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
      return row.getLong(1);
    }
  }

  private static Pod pod(int i) {
    return Pod.of("uid-" + i, "shop/Deployment/web", 100, 1 << 20);
  }

  private static OutcomeEvent bound(int i) {
    return new OutcomeEvent(
        Type.BOUND, System.currentTimeMillis() / 1000.0, "d/" + i, "uid-" + i, "node-1", pod(i));
  }

  private static DecisionRecord decision(int i) {
    return decision(i, System.currentTimeMillis() / 1000.0);
  }

  private static DecisionRecord decision(int i, double at) {
    int[] scores = new int[NODES.size()];
    double[] column = new double[NODES.size()];
    ScoreReply reply =
        new ScoreReply("d/" + i, scores, "dqn", Mode.ACTIVE, 1, "m1", "i", 1, false, null, null);
    return new DecisionRecord(
        at,
        new ScoreRequest("d/" + i, "s/1", Mode.ACTIVE, pod(i), NODES),
        reply,
        column,
        column,
        column,
        null,
        null,
        null);
  }
}
