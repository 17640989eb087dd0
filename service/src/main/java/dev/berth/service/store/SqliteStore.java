package dev.berth.service.store;

import dev.berth.policy.file.FileTrouble;
import dev.berth.service.config.StoreConfig;
import dev.berth.service.queue.ByteQueue;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.Without;
import dev.berth.service.task.Loop;
import dev.berth.service.task.Pacer;
import dev.berth.service.task.Tasks;
import dev.berth.service.task.TokenBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/**
 * SQLite in WAL mode with one writer thread and group commit: whatever waits is written in one
 * transaction, so a burst costs one sync. Records that nobody waits for gather for {@link
 * #GATHER_MILLIS}; an outcome, which is acknowledged, waits for nobody. {@code synchronous=FULL}:
 * an acknowledged batch survives a power cut (0.13 ms a commit on a local disk).
 */
public final class SqliteStore implements ExperienceStore {
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);
  private static final int GROUP = 500;
  private static final int RECORD_BYTES = 500;

  /** At 1,500 decisions a second one costs the writer .11 ms of CPU so, and .23 ms by itself. */
  private static final int GATHER_MILLIS = 50;

  /**
   * Candidates of a decision beyond {@code whole-decisions-per-second}: 17 kB each at thousands a
   * second kept the cores from the questions themselves, p99 1.1 ms instead of .75
   * (docs/performance-log.md).
   */
  private static final int FEW = 10;

  private static final int SQLITE_FULL = 13;

  /** Of a failure: a batch that is sent again until then holds up all that come after it. */
  private static final long LASTING_MILLIS = 60_000;

  private static final long SWEEP_EVERY_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** One unit of work for the writer; {@code done} is null when nobody waits. */
  private record Task(SqlWork work, @Nullable CompletableFuture<Void> done) {}

  @FunctionalInterface
  interface SqlWork {
    void run(SqliteWrites writes) throws SQLException;
  }

  private final StoreConfig config;
  private final Clock clock;
  private final ByteQueue<Task> queue;
  private final AtomicLong dropped = new AtomicLong();

  /** Decisions that may be recorded with all candidates; guarded by itself. */
  private final TokenBucket whole;

  private final Path file;
  // The writer thread's; stale after a failure.
  private OpenFile open;
  private Connection db;
  private SqliteWrites writes;
  private boolean stale;

  /** When nothing could be written any more, by the clock; the writer thread's. */
  private long failingSince = Long.MAX_VALUE;

  /** Tasks of the group under way that are neither written nor given up; the writer thread's. */
  private volatile int inHand;

  /** The last group was full: among what was left somebody may wait. */
  private boolean behind;

  private volatile SqliteReads reads;
  private final Loop writer;
  private final Pacer pacer = new Pacer(); // the writer's
  private volatile boolean closing;

  /** A permit for whoever began to wait since the last group was taken. */
  private final Semaphore awaited = new Semaphore(0);

  private long nextSweep = System.nanoTime();
  private volatile @Nullable String healthProblem;

  /** What went with a file that is no longer there. */
  private volatile @Nullable String lost;

  private SqliteStore(StoreConfig config, Path file, Clock clock, Tasks tasks) throws SQLException {
    this.config = config;
    this.clock = clock;
    this.file = file;
    queue = new ByteQueue<>(config.queue().bytes(), SqliteStore::refuse);
    whole = TokenBucket.ofAMinute(config.wholeDecisionsPerSecond(), new SplittableRandom());
    db = connect(file);
    Schema.migrate(db, file.toString());
    db.setAutoCommit(false);
    writes = new SqliteWrites(db);
    open = OpenFile.at(file);
    reads = new SqliteReads(connect(file));
    writer = tasks.loop("store-writer", this::write).start();
  }

  /** Opens or makes the file. */
  public static SqliteStore open(StoreConfig config, Path file, Clock clock, Tasks tasks) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return new SqliteStore(config, file, clock, tasks);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot make the folder of %s: %s".formatted(file, FileTrouble.reason(e)), e);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "cannot open the experience store " + file + ": " + e.getMessage() + " (see store.file)",
          e);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(5000);
    config.setJournalSizeLimit(16777216);
    // Else every update is followed by a query for the row's id: a quarter of the writer's time.
    config.setGetGeneratedKeys(false);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  @Override
  public boolean decided(DecisionRecord decision) {
    DecisionRow row = DecisionRow.of(decision, kept(decision.at()));
    return offer(new Task(sql -> sql.decision(row), null), row.bytes());
  }

  /** How many candidates to keep of a decision made then, epoch seconds. */
  private int kept(double at) {
    synchronized (whole) {
      return whole.take(at) ? config.candidatesKept() : Math.min(FEW, config.candidatesKept());
    }
  }

  @Override
  public boolean rewarded(List<RewardRecord> rewards) {
    return offer(new Task(sql -> sql.rewards(rewards), null), (long) RECORD_BYTES * rewards.size());
  }

  @Override
  public boolean measured(List<Measured> measured) {
    return offer(
        new Task(sql -> sql.measured(measured), null), (long) RECORD_BYTES * measured.size());
  }

  @Override
  public boolean reckoned(String decision, Without stock) {
    return offer(new Task(sql -> sql.reckoned(decision, stock), null), RECORD_BYTES);
  }

  @Override
  public boolean chosen(Choice choice) {
    return offer(new Task(sql -> sql.chosen(choice), null), RECORD_BYTES);
  }

  @Override
  public boolean judged(List<Hindsight> judged) {
    return offer(new Task(sql -> sql.judged(judged), null), (long) RECORD_BYTES * judged.size());
  }

  @Override
  public CompletableFuture<Void> happened(List<OutcomeEvent> events) {
    return submit(sql -> sql.outcomes(events), (long) RECORD_BYTES * events.size());
  }

  @Override
  public CompletableFuture<Void> forget(List<String> podUids) {
    return submit(sql -> sql.forget(podUids), (long) RECORD_BYTES * podUids.size());
  }

  CompletableFuture<Void> submit(SqlWork work, long bytes) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    offer(new Task(work, done), bytes);
    awaited.release();
    return done;
  }

  private boolean offer(Task task, long bytes) {
    if (closing) {
      dropped.incrementAndGet();
      refuse(task);
      return false;
    }
    return queue.offer(task, bytes);
  }

  private static void refuse(Task task) {
    CompletableFuture<Void> done = task.done();
    if (done != null) {
      done.completeExceptionally(
          new RejectedExecutionException("the experience store is busy: send the batch again"));
    }
  }

  /** Writes what waits, as one group; returns whether anything did. */
  private boolean write() throws InterruptedException {
    Task first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first != null) {
      if (first.done() == null && !behind && queue.size() < GROUP && !closing) {
        boolean unused = awaited.tryAcquire(GATHER_MILLIS, TimeUnit.MILLISECONDS);
      }
      awaited.drainPermits();
      List<Task> group = new ArrayList<>(GROUP);
      group.add(first);
      queue.drainTo(group, GROUP - 1);
      behind = group.size() == GROUP;
      inHand = group.size();
      commit(group);
      if (usedBytes() > config.size().bytes()) {
        double now = clock.millis() / 1000.0;
        commit(List.of(new Task(sql -> sql.deleteOldest(now), null)));
      }
    }
    if (System.nanoTime() - nextSweep >= 0) {
      nextSweep = System.nanoTime() + SWEEP_EVERY_NANOS;
      double kept = clock.millis() / 1000.0 - config.keep().toSeconds();
      commit(List.of(new Task(sql -> sql.sweep(kept, kept), null)));
    }
    return first != null;
  }

  /** Bytes of the file that hold something; what was deleted is used again. */
  private long usedBytes() {
    try (Statement sql = db.createStatement()) {
      return pragma(sql, "page_size") * (pragma(sql, "page_count") - pragma(sql, "freelist_count"));
    } catch (SQLException e) {
      log.error("the size of the experience store cannot be read: {}", e.getMessage());
      return 0;
    }
  }

  private static long pragma(Statement sql, String name) throws SQLException {
    try (ResultSet row = sql.executeQuery("PRAGMA " + name)) {
      return row.getLong(1);
    }
  }

  /**
   * All tasks in one transaction; if it fails, each in one of its own, so one cannot sink the rest.
   */
  private void commit(List<Task> group) {
    try {
      if (stale) {
        reconnect();
      }
      open.check();
      boolean waitedFor = group.stream().anyMatch(task -> task.done() != null);
      for (Task task : group) {
        task.work().run(writes);
        if (!waitedFor && !queue.crowded()) {
          pacer.pace();
        }
      }
      db.commit();
      healthProblem = null;
      failingSince = Long.MAX_VALUE;
      group.forEach(task -> complete(task, null));
    } catch (SQLException | RuntimeException e) {
      rollback();
      stale = true;
      if (group.size() > 1) {
        group.forEach(task -> commit(List.of(task)));
      } else {
        failed(group.get(0), e);
      }
    }
  }

  /**
   * A full disk must not stop the cluster's events, nor one that has failed for a minute: they are
   * in the books already, and after a restart the scheduler tells of all pods anew. So the batch is
   * taken, dropped and counted; anything else that fails is sent again.
   */
  private void failed(Task task, Exception e) {
    if (healthProblem == null) {
      log.error("the experience store cannot write: {}", e.getMessage());
    }
    healthProblem = "what is decided is not recorded, scoring goes on: " + e.getMessage();
    dropped.incrementAndGet();
    boolean full = e instanceof SQLException sql && (sql.getErrorCode() & 0xff) == SQLITE_FULL;
    long now = clock.millis();
    if (task.done() != null) { // whoever waits sends it again: it shows soon whether it lasts
      failingSince = Math.min(failingSince, now);
    }
    complete(task, full || now - failingSince >= LASTING_MILLIS ? null : e);
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one thread writes it
  private void complete(Task task, @Nullable Exception failure) {
    inHand = Math.max(0, inHand - 1); // the store's own work is none of it
    CompletableFuture<Void> done = task.done();
    if (done != null && failure == null) {
      done.complete(null);
    } else if (done != null) {
      done.completeExceptionally(failure);
    }
  }

  private void rollback() {
    try {
      db.rollback();
    } catch (SQLException e) {
      if (healthProblem == null) { // SQLite may have rolled back by itself
        log.error("the experience store cannot roll back: {}", e.getMessage());
      }
    }
  }

  /**
   * After an error of the disk, or a full one, the driver has closed what it had prepared. Where
   * the file is another one, it is begun anew.
   */
  private void reconnect() throws SQLException {
    boolean same = holds(open::checkDatabase);
    boolean whole = holds(open::check);
    if (same && !whole) {
      rescue();
    }
    db.close();
    if (!whole) {
      reads.close(); // the last to close removes what belongs to the file
    }
    db = connect(file);
    if (!whole) {
      Schema.migrate(db, file.toString());
      reads = new SqliteReads(connect(file));
      open = OpenFile.at(file);
    }
    if (!same) {
      lost =
          "%s was removed or replaced at %s: what was recorded before is lost"
              .formatted(file, clock.instant());
      log.error(lost);
    }
    db.setAutoCommit(false);
    writes = new SqliteWrites(db);
    stale = false;
  }

  /** What stood in a removed file beside the database is still there for who has it open. */
  private void rescue() {
    log.error("files beside {} were removed or replaced while it was open", file);
    try (Statement sql = db.createStatement()) {
      db.setAutoCommit(true);
      sql.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (SQLException e) {
      log.error("what they held could not be written into it: {}", e.getMessage());
    }
  }

  @FunctionalInterface
  private interface FileCheck {
    void check() throws SQLException;
  }

  private static boolean holds(FileCheck file) {
    try {
      file.check();
      return true;
    } catch (SQLException e) {
      log.debug("{}", e.getMessage());
      return false;
    }
  }

  @Override
  public List<RunningPod> runningPods(int most) {
    return reads.runningPods(most);
  }

  @Override
  public Optional<StoredDecision> decision(String id) {
    return reads.decision(id);
  }

  @Override
  public List<StoredDecision> decisionsOf(String pod, int limit) {
    return reads.decisionsOf(pod, limit);
  }

  @Override
  public List<StoredDecision> decisionsOfOwner(String owner, int limit) {
    return reads.decisionsOfOwner(owner, limit);
  }

  @Override
  public List<StoredDecision> decisions(int limit) {
    return reads.decisions(limit);
  }

  @Override
  public List<DecisionLine> newest(int limit) {
    return reads.newest(limit);
  }

  @Override
  public void choices(double since, Consumer<Choice> reader) {
    ChoiceReads.each(file, since, reader);
  }

  @Override
  public ChoiceOwners choiceOwners(double since, int most) {
    return ChoiceReads.owners(file, since, most);
  }

  @Override
  public long dropped() {
    return dropped.get() + queue.dropped();
  }

  @Override
  public int queued() {
    return queue.size() + inHand;
  }

  @Override
  public Optional<String> healthProblem() {
    return writer.alive()
        ? Optional.ofNullable(healthProblem == null ? lost : healthProblem)
        : Optional.of("the writer has stopped");
  }

  @Override
  public void close() {
    closing = true;
    awaited.release();
    writer.close(Duration.ofSeconds(10));
    if (queued() > 0) {
      log.error("{} records could not be written before the stop", queued());
    }
    try {
      reads.close();
      db.close();
    } catch (SQLException e) {
      log.error("the experience store did not close: {}", e.getMessage());
    }
  }
}
