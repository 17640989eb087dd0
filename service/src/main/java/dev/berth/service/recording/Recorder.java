package dev.berth.service.recording;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.file.FileTrouble;
import dev.berth.service.queue.ByteQueue;
import dev.berth.service.scoring.Draw;
import dev.berth.service.scoring.Journal;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.task.Loop;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what the scorer hears, on a thread of its own. A full disk, a full file or one that
 * is moved away ends the recording, never the service. Thread-safe.
 */
public final class Recorder implements Journal, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Recorder.class);
  private static final int CANDIDATE_BYTES = 200;
  private static final int EVENT_BYTES = 500;
  private static final int SAMPLE_BYTES = 100;
  private static final int ENTRY_BYTES = 1_000;
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path path;
  private final long mostBytes;
  private final ByteQueue<Entry> queue;
  private final Loop loop;

  /** Of the loop alone; null once the recording has ended. */
  private @Nullable RecordingFile file;

  private long lost;
  private long flushedAt = System.nanoTime();
  private volatile boolean recording = true;
  private volatile @Nullable String healthProblem;
  private volatile boolean movedAway;

  private Recorder(Path path, RecordingFile file, long mostBytes, long queueBytes, Tasks tasks) {
    this.path = path;
    this.file = file;
    this.mostBytes = mostBytes;
    this.queue = new ByteQueue<>(queueBytes);
    this.loop = tasks.loop("recording", this::next).start();
  }

  /**
   * Begins a file; one that is there is kept beside it.
   *
   * @param mostBytes that the file may take
   * @param queueBytes of memory for what waits to be written
   */
  public static Recorder begin(
      Path path, Entry.Start start, long mostBytes, long queueBytes, Tasks tasks)
      throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    if (Files.exists(path)) {
      Path previous = path.resolveSibling(path.getFileName() + ".previous");
      Files.move(path, previous, StandardCopyOption.REPLACE_EXISTING);
    }
    RecordingFile file = RecordingFile.create(path);
    file.write(Entry.of(start));
    file.flush();
    log.info("recording to {}, at most {} MiB", path, mostBytes >> 20);
    return new Recorder(path, file, mostBytes, queueBytes, tasks);
  }

  @Override
  public void decided(
      double at,
      ScoreRequest request,
      Supplier<double[]> base,
      double[] preferences,
      Draw draw,
      long modelVersion) {
    long bytes = (long) CANDIDATE_BYTES * request.candidates().size();
    offer(
        Entry.of(new Entry.Question(at, request, base.get(), preferences, draw, modelVersion)),
        bytes);
  }

  @Override
  public void applied(double at, List<OutcomeEvent> events) {
    offer(Entry.of(new Entry.Outcomes(at, events)), (long) EVENT_BYTES * events.size());
  }

  @Override
  public void sized(double at, Map<String, Double> cores) {
    offer(Entry.of(new Entry.Sized(at, cores)), (long) SAMPLE_BYTES * cores.size());
  }

  @Override
  public void measured(double at, List<PodSample> samples) {
    offer(Entry.of(new Entry.PodSamples(at, samples)), (long) SAMPLE_BYTES * samples.size());
  }

  @Override
  public void observed(double at, List<NodeSample> samples) {
    offer(Entry.of(new Entry.Samples(at, samples)), (long) SAMPLE_BYTES * samples.size());
  }

  private void offer(Entry entry, long bytes) {
    if (recording) {
      queue.offer(entry, ENTRY_BYTES + bytes);
    }
  }

  /** Entries that are missing because they came too fast. */
  public long dropped() {
    return queue.dropped();
  }

  /** Why nothing is recorded any more; empty while all is well. */
  public Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }

  /** That somebody has ended the recording; empty while it goes on. */
  public Optional<String> note() {
    return movedAway
        ? Optional.of(path + ": recording has ended, the file was moved away")
        : Optional.empty();
  }

  private boolean next() throws InterruptedException {
    Entry entry = queue.poll(100, TimeUnit.MILLISECONDS);
    RecordingFile to = file;
    if (to == null) {
      return false;
    }
    try {
      long missing = queue.dropped() - lost;
      if (missing > 0) {
        lost += missing;
        to.write(Entry.ofLost(missing));
      }
      if (entry != null) {
        to.write(entry);
      }
      if (System.nanoTime() - flushedAt > FLUSH_NANOS) {
        flushedAt = System.nanoTime();
        to.flush();
        if (!Files.exists(path)) {
          endMoved(to);
        } else if (to.bytes() >= mostBytes) {
          end("it has reached recording.size, " + (mostBytes >> 20) + " MiB", null);
          to.close();
        }
      }
    } catch (IOException e) {
      end(FileTrouble.reason(e), e);
    }
    return entry != null;
  }

  /** Who moves the file away wants it whole, and the service to run on. */
  private void endMoved(RecordingFile to) throws IOException {
    recording = false;
    file = null;
    to.close();
    movedAway = true;
    log.info("recording to {} has ended: the file was moved away", path);
  }

  private void end(String why, @Nullable Exception cause) {
    recording = false;
    file = null;
    healthProblem = "recording to " + path + " has ended: " + why;
    log.warn("{}", healthProblem, cause);
  }

  /** Writes what waits, and that the recording is whole. */
  @Override
  public void close() throws IOException {
    recording = false;
    loop.close(Duration.ofSeconds(5));
    RecordingFile last = file;
    if (last != null && !loop.alive()) {
      last.close();
    }
  }
}
