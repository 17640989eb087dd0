package dev.berth.service.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  private static final String[] NODES = {"n0", "n1", "n2", "n3"};
  private static final double BEGIN = 1_700_000_000;
  private static final int DECISIONS = 60;

  @TempDir Path folder;
  private final Hand clock = new Hand();

  @Test
  void aReplayScoresEveryDecisionAsItWasScored() throws Exception {
    ReplayRun run = ReplayRun.of(Recording.read(recorded(), false), Variant.AS_RECORDED);
    assertThat(run.asked()).isEqualTo(DECISIONS);
    assertThat(run.same()).isEqualTo(DECISIONS);
  }

  @Test
  void whatIsAskedInBetweenChangesNoDecision() throws Exception {
    List<Entry.Question> without = decisions(Recording.read(recorded(), false));
    Recording asked = Recording.read(recorded(true), false);
    List<Entry.Question> with = decisions(asked);
    assertThat(asked.events().stream().filter(e -> e.question() != null).count())
        .isEqualTo(3 * DECISIONS + 1);
    for (int i = 0; i < DECISIONS; i++) {
      assertThat(with.get(i).base()).as("decision %d", i).isEqualTo(without.get(i).base());
    }
    Replay replay = new Replay(asked.start(), asked.start().usage());
    for (Entry event : asked.events()) {
      double[] base = replay.feed(event);
      if (event.question() != null) {
        assertThat(base).isEqualTo(event.question().base());
      }
      replay.expected(Recording.at(event) + 0.001, new double[] {0, 300});
    }
    assertThat(replay.cores("n0")).isEqualTo(64);
    assertThat(replay.cores("named-by-what-ifs-alone")).isNaN();
  }

  @Test
  void rankedAgainByTheSamePolicyNobodyMovesAndByAnotherItSaysWho() throws Exception {
    Recording recording = Recording.read(recorded(), false);
    Rescoring same = Rescoring.of(recording, PredictThenGreedy.best());
    assertThat(same.decisions()).isEqualTo(DECISIONS);
    assertThat(same.moved()).allSatisfy(m -> assertThat(m.gain()).isPositive());
    assertThat(same.moved()).hasSizeLessThan(DECISIONS);
    Policy towardsN3 =
        policy("n3-first", (d, p) -> p[Arrays.asList(d.candidates().names()).indexOf("n3")] = 1);
    Rescoring other = Rescoring.of(recording, towardsN3);
    assertThat(other.moved()).isNotEmpty().allSatisfy(m -> assertThat(m.to()).isEqualTo("n3"));
    assertThat(other.moved().stream().filter(m -> m.from().equals("n3"))).isEmpty();
    StringWriter text = new StringWriter();
    other.print(new PrintWriter(text));
    assertThat(text.toString())
        .contains("with n3-first " + other.moved().size() + " of 60 pods would have gone elsewhere")
        .contains("/pod-", "GAIN");
  }

  private static Policy policy(String name, BiConsumer<Decision, double[]> body) {
    return new Policy() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void score(Decision decision, double[] preferences) {
        body.accept(decision, preferences);
      }
    };
  }

  private static List<Entry.Question> decisions(Recording recording) {
    return recording.events().stream()
        .map(Entry::question)
        .filter(q -> q != null && !q.whatIf())
        .toList();
  }

  @Test
  void oneOutcomeLessIsNoticed() throws Exception {
    Recording recording = Recording.read(recorded(), false);
    List<Entry> events = new ArrayList<>(recording.events());
    events.remove(events.stream().filter(e -> e.outcomes() != null).findFirst().orElseThrow());
    ReplayRun run = ReplayRun.of(recording.with(events), Variant.AS_RECORDED);
    assertThat(run.same()).isLessThan(DECISIONS / 2);
  }

  @Test
  void withoutTheSamplesOfPodsItWouldBeAnotherReplay() throws Exception {
    Recording recording = Recording.read(recorded(), false);
    List<Entry> events = recording.events().stream().filter(e -> e.podSamples() == null).toList();
    ReplayRun run = ReplayRun.of(recording.with(events), Variant.AS_RECORDED);
    assertThat(run.same()).isLessThan(DECISIONS);
  }

  @Test
  void aRecordingFromBeforeSamplesOfPodsIsStillRead() throws Exception {
    Path old = folder.resolve("old");
    write(
        old,
        read(recorded())
            .replaceFirst("\"schema\":\\d+", "\"schema\":3")
            .replaceAll("\\{\"podSamples\".*\n", "")
            .replaceFirst("\"end\":\\d+", "\"end\":" + lines(read(recorded()))));
    assertThat(Recording.read(old, false).events()).isNotEmpty();
  }

  private static long lines(String text) {
    return text.lines()
        .filter(l -> !l.contains("\"podSamples\"") && !l.contains("\"end\""))
        .count();
  }

  @Test
  void theTruthIsAddedAfterwardsAndErrorsAreHeldAgainstIt() throws Exception {
    Path file = recorded();
    try (RecordingFile more = RecordingFile.append(file)) {
      for (int second = 0; second <= DECISIONS; second++) {
        Map<String, Double> cores = new HashMap<>();
        for (int n = 0; n < NODES.length; n++) {
          cores.put(NODES[n], 10.0 + n);
        }
        more.write(Entry.of(new Entry.Truth(BEGIN + second, cores)));
      }
      more.write(Entry.of(new Entry.Started(BEGIN + 7, "pod-3")));
    }
    Recording recording = Recording.read(file, false);
    assertThat(recording.startedAt()).containsEntry("pod-3", BEGIN + 7);
    ReplayRun run = ReplayRun.of(recording, Variant.AS_RECORDED);
    assertThat(run.all.instants()).isGreaterThan(DECISIONS / 2);
    // 10 to 13 of 64 cores
    assertThat(run.all.truthStd()).isCloseTo(Math.sqrt(1.25) / 64, within(1e-9));
    StringWriter text = new StringWriter();
    new ReplayReport(recording, recording).print(new PrintWriter(text), true);
    assertThat(text.toString())
        .contains("base scores as recorded, bit for bit: 60 of 60")
        .contains("where the error now comes from", "+ pods counted from when they run");
    assertThat(new ReplayReport(recording, null).decisions()).hasSize(1 + 5 * DECISIONS);
  }

  @Test
  void oneThatIsCutShortIsRefusedButCanBeReplayedInPart() throws Exception {
    Path file = recorded();
    byte[] bytes = Files.readAllBytes(file);
    Path cut = folder.resolve("cut");
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> Recording.read(cut, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(cut.toString())
        .hasMessageContaining("cut short after line")
        .hasMessageContaining("--partial");
    assertThat(Recording.read(cut, true).events()).isNotEmpty();
  }

  @Test
  void anotherSchemaNamesTheReleaseThatCanReadIt() throws Exception {
    Path file = folder.resolve("future");
    write(file, "{\"start\":{\"schema\":9,\"berth\":\"berth 7.0.0\",\"at\":0}}\n");
    assertThatThrownBy(() -> Recording.read(file, false))
        .hasMessageContaining(file.toString())
        .hasMessageContaining("schema 9")
        .hasMessageContaining("berth 7.0.0");
  }

  @Test
  void somethingElseIsNoRecording() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "hello");
    Path empty = Files.writeString(folder.resolve("empty"), "");
    Path other = folder.resolve("other");
    write(other, "{\"a\":1}\n");
    for (Path wrong : List.of(text, other, folder)) {
      assertThatThrownBy(() -> Recording.read(wrong, false))
          .hasMessageContaining(wrong + " is no recording");
    }
    assertThatThrownBy(() -> Recording.read(empty, false)).hasMessageContaining("is empty");
  }

  @Test
  void aDamagedLineIsNamed() throws Exception {
    Path file = recorded();
    String text = read(file);
    Path damaged = folder.resolve("damaged");
    write(damaged, text.replaceFirst("\"outcomes\":\\{\"at\"", "\"outcomes\":{\"when\""));
    assertThatThrownBy(() -> Recording.read(damaged, false))
        .hasMessageMatching(
            ".*damaged:\\d+: damaged, or written by another release: outcomes.at: .*");
  }

  @Test
  void anEarlierRecordingIsKept() throws Exception {
    Path file = recorded();
    byte[] first = Files.readAllBytes(file);
    recorder(file, 1 << 20).close();
    assertThat(Files.readAllBytes(folder.resolve("recording.previous"))).isEqualTo(first);
    assertThat(Recording.read(file, false).events()).isEmpty();
  }

  @Test
  void aFileThatIsMovedAwayEndsWhole() throws Exception {
    Path file = folder.resolve("recording");
    Path away = folder.resolve("away");
    try (Recorder recorder = recorder(file, 1 << 20)) {
      recorder.observed(BEGIN, List.of(sample("n0", BEGIN, 1)));
      Files.move(file, away);
      long patience = System.nanoTime() + 20_000_000_000L;
      while (recorder.note().isEmpty() && System.nanoTime() < patience) {
        Thread.sleep(20);
      }
      assertThat(recorder.note()).hasValue(file + ": recording has ended, the file was moved away");
      assertThat(recorder.healthProblem()).isEmpty();
      assertThat(Recording.read(away, false).events()).hasSize(1);
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void whatCameTooFastIsSaidToBeLost() throws Exception {
    Path file = folder.resolve("recording");
    Recorder recorder = recorder(file, 1_700); // room for one of these entries
    List<NodeSample> samples = List.of(sample("n0", BEGIN, 1));
    for (int i = 0; i < 1_000; i++) {
      recorder.observed(BEGIN + i, samples);
    }
    recorder.close();
    Recording recording = Recording.read(file, false);
    assertThat(recording.lost()).isPositive().isEqualTo(recorder.dropped());
    assertThat(recording.events().size() + recording.lost()).isEqualTo(1_000);
  }

  private Recorder recorder(Path file, long queueBytes) throws IOException {
    Entry.Start start =
        new Entry.Start(
            Entry.SCHEMA,
            "berth test",
            BEGIN,
            "predict-then-greedy",
            UsageConfig.DEFAULT,
            new byte[0],
            List.of(new RunningPod(pod(1_000), "n2", BEGIN - 500)));
    return Recorder.begin(file, start, 1 << 20, queueBytes, new Tasks(task -> () -> {}));
  }

  private static Pod pod(int i) {
    return Pod.of("pod-" + i, "default/Deployment/app-" + i % 5, 500 + 250 * (i % 4), 1 << 28);
  }

  private static NodeSample sample(String node, double end, double cores) {
    return new NodeSample(node, end - 5, end, cores, 1e9, Double.NaN, Double.NaN);
  }

  /** A minute of a scorer's life: a pod and its bind every second, samples every five. */
  private Path recorded() throws IOException {
    return recorded(false);
  }

  /**
   * @param asked whether a what-if and a ranking come between the decisions, by which nothing is
   *     placed
   */
  private Path recorded(boolean asked) throws IOException {
    Path file = folder.resolve("recording");
    Recorder recorder = recorder(file, 1 << 20);
    clock.now = BEGIN;
    SharedState shared =
        new SharedState(
            new ClusterState(UsageConfig.DEFAULT), clock.withZone(ZoneOffset.UTC), recorder);
    Scorer scorer =
        new Scorer(
            ServiceConfig.defaults().scoring(),
            new Serving(PredictThenGreedy.best(), 0),
            shared,
            new NodeTable(),
            new ServiceMetrics(),
            "test",
            ScorerSink.NONE,
            Runnable::run);
    scorer.intake().restore(List.of(new RunningPod(pod(1_000), "n2", BEGIN - 500)));
    Candidates candidates = Given.nodes(NODES);
    Candidates others = Given.nodes("n0", "named-by-what-ifs-alone");
    others.cpuMilli()[0] = 8_000;
    SplittableRandom random = new SplittableRandom(1);
    Map<String, Double> cores = new HashMap<>();
    for (String node : NODES) {
      cores.put(node, 64.0);
    }
    if (asked) { // were means taken anew by who asks, the 30 s to the next would begin here
      clock.now = BEGIN - 4.7;
      scorer.whatIf(pod(0), candidates);
    }
    for (int i = 0; i < DECISIONS; i++) {
      if (asked) {
        clock.now = BEGIN + i - 0.6;
        scorer.whatIf(pod(i), others);
        clock.now = BEGIN + i - 0.3;
        scorer.rank(new ScoreRequest("r" + i, "test", Mode.ACTIVE, pod(i), candidates));
      }
      scorer.intake().sized(cores);
      clock.now = BEGIN + i + 0.123_456_7;
      if (i % 5 == 4) {
        List<PodSample> ofPods = new ArrayList<>();
        for (int p = 0; p < i; p++) {
          double used = 2 * random.nextDouble();
          ofPods.add(new PodSample("pod-" + p, clock.now - 6, clock.now - 1, used, 1e8));
        }
        scorer.intake().observe(ofPods);
        List<NodeSample> samples = new ArrayList<>();
        for (String node : NODES) {
          samples.add(sample(node, clock.now - 1, 2 + 10 * random.nextDouble()));
        }
        scorer.intake().observe(samples, i);
      }
      Pod pod = pod(i);
      ScoreReply reply =
          scorer.score(new ScoreRequest("d" + i, "test", Mode.ACTIVE, pod, candidates));
      String node = NODES[reply.scores()[i % 4] == 100 ? i % 4 : (i + 1) % 4];
      clock.now += 0.01;
      scorer
          .intake()
          .apply(
              List.of(
                  new OutcomeEvent(
                      Type.RESERVED, clock.now - 0.005, "d" + i, pod.uid(), node, pod)));
    }
    recorder.close();
    return file;
  }

  private static void write(Path file, String text) throws IOException {
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String read(Path file) throws IOException {
    try (var in = new java.util.zip.GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Set by hand. */
  private static final class Hand implements InstantSource {
    private double now;

    @Override
    public Instant instant() {
      double second = Math.floor(now);
      return Instant.ofEpochSecond((long) second, Math.round((now - second) * 1e9));
    }
  }
}
