package dev.berth.service.regret;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.predict.BaseTerms;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.DataSize;
import dev.berth.service.config.StoreConfig;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.Choice;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.task.Tasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the decision to the report, on a store of its own. */
class RegretTest {
  private static final String[] NAMES = {"full", "middle", "empty"};
  private static final double[] EXPECTED = {0.6, 0.4, 0.1};
  private static final double POD_CORES = 3.2;
  private static final long GIB = 1L << 30;

  private final AtomicLong seconds = new AtomicLong(1_700_000_000);
  private final InstantSource instants = () -> Instant.ofEpochSecond(seconds.get());
  private final Clock clock = instants.withZone(ZoneOffset.UTC);
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private int asked;
  @TempDir private Path folder;
  private ExperienceStore store;
  private Regret regret;
  private Reports reports;

  @BeforeEach
  void open() {
    DataSize size = new DataSize(64 << 20);
    store =
        SqliteStore.open(
            new StoreConfig(
                "", size, size, size, 3, 100, Duration.ofDays(14), Duration.ofMinutes(1)),
            folder.resolve("experience.db"),
            clock,
            new Tasks(task -> () -> {}));
    regret = new Regret(new SharedState(state, clock), store);
    reports = new Reports(store, clock);
    state.deciding(Given.nodes(NAMES), seconds.get());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aPodThatGotAFullerNodeThanBerthWantedIsRegrettedByForecastAndByMeasure() throws Exception {
    String decision = place("web", "full", Mode.SHADOW, null);
    Choice choice = choices(1).get(0);
    assertThat(choice.ours()).isEqualTo("empty");
    double expected = cost(EXPECTED[0]) - cost(EXPECTED[2]);
    assertThat(expected).isPositive();
    assertThat(choice.forecast()).isCloseTo(expected, within(1e-12));
    assertThat(choice.measured()).as("not yet").isNull();

    used("empty", 0.2); // not 0.1 as was expected
    regret.measured(List.of(new Measured(decision, 7, seconds.get(), 0.55, 0.5)));
    Choice later = measured(1).get(0);
    assertThat(later.gap()).isCloseTo(0.3, within(1e-6));
    assertThat(later.measured()).isCloseTo(cost(0.5) - cost(0.2), within(1e-6));
  }

  @Test
  void amongTheBestScoredThePodsOwnNodeIsBerthsToo() throws Exception {
    String decision = place("web", "empty", Mode.SHADOW, null);
    regret.measured(List.of(new Measured(decision, 7, seconds.get(), 0.2, 0.2)));
    Choice choice = measured(1).get(0);
    assertThat(choice.ours()).isEqualTo("empty");
    assertThat(List.of(choice.forecast(), choice.measured(), choice.gap())).containsOnly(0.0);

    Candidates twice = Given.nodes("a", "b", "c", "d", "e", "f"); // c and f are scored alike
    regret.decided(record("twice", "web", twice, Mode.SHADOW, null));
    regret.happened(
        List.of(
            new OutcomeEvent(
                Type.BOUND, seconds.get(), "twice", "twice", "f", Pod.of("twice", "web", 1, 1))));
    assertThat(choices(2).get(1).ours()).isEqualTo("f");
  }

  @Test
  void aNodeOfWhichNothingWasMeasuredIsNoZero() throws Exception {
    String decision = place("web", "full", Mode.SHADOW, null);
    regret.measured(List.of(new Measured(decision, 7, seconds.get(), 0.5, 0.5)));
    place("web", "full", Mode.SHADOW, null); // once it is there, so is what came before
    assertThat(choices(2)).extracting(Choice::gap).containsOnlyNulls();
  }

  @Test
  void whatBerthHadNoOpinionOnIsCountedApart() throws Exception {
    place("web", "full", Mode.ACTIVE, "too little is known");
    place("web", "full", Mode.ACTIVE, null);
    choices(2);
    Report report = reports.of(Duration.ofDays(1));
    assertThat(report.others().pods()).isOne();
    assertThat(report.others().noOpinion()).isOne();
    assertThat(report.others().agreement()).isNull();
    assertThat(report.berth().pods()).isOne();
    assertThat(report.berth().agreement().mean()).isZero();
  }

  @Test
  void whatComesTwiceCountsOnceAndWhatNobodyJudgesIsCounted() throws Exception {
    OutcomeEvent bound = decide("web", "full", Mode.SHADOW, null);
    regret.happened(List.of(bound, bound));
    assertThat(choices(1)).hasSize(1);
    String[] many = new String[5_000];
    Arrays.setAll(many, i -> "n" + i);
    Candidates candidates = Given.nodes(many);
    for (int i = 0; i < 100; i++) {
      regret.decided(record("many-" + i, "web", candidates, Mode.SHADOW, null));
    }
    assertThat(regret.dropped()).as("16 MiB are 83 of them").isBetween(10L, 30L);
  }

  @Test
  void aDayOfManyOwnersSaysWhatToDoAndHalfAnHourTooLittle_seed1() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 480; i++) {
      seconds.addAndGet(150);
      used("empty", random.nextDouble(0.1, 0.5));
      String owner = "shop/Deployment/web-" + Math.min(random.nextInt(12), random.nextInt(12));
      String decision = place(owner, NAMES[random.nextInt(3)], Mode.SHADOW, null);
      double without = random.nextDouble(0.2, 0.7);
      regret.measured(List.of(new Measured(decision, 7, seconds.get(), without, without)));
    }
    measured(480);
    Report report = reports.of(Duration.ofDays(1));
    assertThat(report.others().agreement().mean()).isBetween(0.28, 0.38);
    assertThat(report.others().agreement().interval()).isNotNull();
    assertThat(report.others().gap().mean()).isBetween(0.08, 0.12); // two thirds of 0.15
    assertThat(report.owners()).hasSize(10);
    assertThat(report.moreOwners()).isEqualTo(2);
    assertThat(report.days()).hasSize(2);
    assertThat(lastLine(report))
        .startsWith("recommendation: go to canary, because by what was measured");
    assertThat(reports.of(Duration.ofMinutes(30)).advice().because())
        .startsWith("too little data: only 13 pods");
    List<String> said = ReportText.lines(report);
    assertThat(said).hasSizeLessThan(40);
    Path document = Path.of(System.getProperty("berth.root"), "docs/report.md");
    assertThat(Files.readString(document))
        .contains(
            said.stream().map(("    ")::concat).map(String::stripTrailing).collect(joining("\n")));
  }

  @Test
  void anEmptyStoreIsSaid() {
    Report report = reports.of(Duration.ofDays(7));
    assertThat(lastLine(report))
        .isEqualTo(
            "recommendation: stay in shadow, because no pod was placed that Berth was asked about:"
                + " see berth doctor");
  }

  private static String lastLine(Report report) {
    List<String> lines = ReportText.lines(report);
    return lines.get(lines.size() - 1);
  }

  /** Cost by balance and overload of one horizon, as the base reckons it. */
  private static double cost(double usage) {
    Forecast f = forecast(3);
    BaseTerms.Basis all = BaseTerms.Basis.of(f, 4_000);
    BaseTerms.Basis one =
        new BaseTerms.Basis(
            3,
            new double[] {300},
            new double[] {1},
            new double[] {POD_CORES},
            4_000,
            new double[] {all.mean()[1]},
            new double[] {all.spread()[1]},
            0,
            new double[] {0});
    BaseTerms terms = BaseTerms.of(one, new double[] {usage}, 64_000, 0, 0);
    return -terms.balance()[0] - terms.overload()[0];
  }

  private static Forecast forecast(int n) {
    double[] before = new double[n];
    long[] power = new long[n];
    for (int i = 0; i < n; i++) {
      before[i] = EXPECTED[i % 3];
      power[i] = 64_000;
    }
    double[] now = new double[n];
    double[] one = {1, 1};
    return new Forecast(
        new double[] {0, 300},
        new double[][] {now, before},
        new double[] {1, POD_CORES},
        power,
        one,
        one,
        new double[n],
        new double[2],
        new double[n],
        new double[n]);
  }

  private void used(String node, double share) {
    double now = seconds.get();
    state.sample(new NodeSample(node, now - 15, now, 64 * share, 1e9, 5, 1), now);
  }

  private String place(String owner, String node, Mode mode, @Nullable String reason) {
    OutcomeEvent event = decide(owner, node, mode, reason);
    regret.happened(List.of(event));
    return event.decision();
  }

  private OutcomeEvent decide(String owner, String node, Mode mode, @Nullable String reason) {
    String id = "uid-" + ++asked;
    regret.decided(record(id, owner, Given.nodes(NAMES), mode, reason));
    return new OutcomeEvent(Type.BOUND, seconds.get(), id, id, node, Pod.of(id, owner, 4_000, GIB));
  }

  private DecisionRecord record(
      String id, String owner, Candidates c, Mode mode, @Nullable String reason) {
    int[] scores = new int[c.size()];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = reason == null ? 50 * (i % 3) : 50;
    }
    ScoreReply reply =
        new ScoreReply(id, scores, "dqn", mode, 1, "m1-s1", "i", 1, false, null, reason);
    return new DecisionRecord(
        seconds.get(),
        new ScoreRequest(id, "s/1", mode, Pod.of(id, owner, 4_000, GIB), c),
        reply,
        null,
        null,
        new double[c.size()],
        null,
        reason == null ? forecast(c.size()) : null,
        null);
  }

  private List<Choice> choices(int n) throws InterruptedException {
    return await(n, c -> true);
  }

  private List<Choice> measured(int n) throws InterruptedException {
    return await(n, c -> c.gap() != null);
  }

  /** The store writes on a thread of its own. */
  private List<Choice> await(int n, Predicate<Choice> wanted) throws InterruptedException {
    List<Choice> found = new ArrayList<>();
    while (found.size() < n) {
      TimeUnit.MILLISECONDS.sleep(10);
      found.clear();
      store.choices(0, c -> found.addAll(wanted.test(c) ? List.of(c) : List.of()));
    }
    return found;
  }
}
