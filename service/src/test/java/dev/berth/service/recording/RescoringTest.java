package dev.berth.service.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.cli.Replay;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.OutcomeEvent.Type;
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
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is said of a policy that did not decide, by what came of decisions that were drawn. */
class RescoringTest {
  private static final String[] NODES = {"n0", "n1", "n2", "n3"};

  /** Cores of 64 that nodes use whatever happens: the two emptiest are near each other. */
  private static final double[] USED = {8, 10, 28, 36};

  private static final double BEGIN = 1_700_000_000;
  private static final double EVERY = 15;

  /** Puts n1 first, which was drawn often; the forecast calls it a little worse than n0. */
  private static final Policy SECOND = first(1);

  @TempDir Path folder;
  private double now = BEGIN;

  @Test
  void whatWasDrawnOftenEnoughHasAnEstimateThatIsRight_seed1() throws Exception {
    String text = rescored(learned(), Mode.ACTIVE, 1_900, SECOND);
    Matcher said =
        Pattern.compile("it gains ([-+.0-9]+) a pod \\(95 %: ([-+.0-9]+) to ([-+.0-9]+)")
            .matcher(text);
    assertThat(said.find()).as(text).isTrue();
    assertThat(Double.parseDouble(said.group(1))).as(text).isNegative();
    assertThat(Double.parseDouble(said.group(3))).as(text).isNegative();
    assertThat(text).contains("doubly robust: of ", "worth ", "placement feeds back", "berth ab");
  }

  @Test
  void whatWasDrawnSeldomHasNone() throws Exception {
    assertThat(rescored(learned(), Mode.ACTIVE, 60, SECOND))
        .contains(
            "what came of it cannot be estimated", "want 20 over six hours or more: record longer")
        .doesNotContain("it gains");
  }

  @Test
  void whatHadNoChanceHasNone() throws Exception {
    assertThat(rescored(learned(), Mode.ACTIVE, 60, first(3)))
        .contains("cannot be estimated", "puts another first 0 could have been drawn so");
  }

  @Test
  void withoutADrawItSaysWhatToTurnOn() throws Exception {
    assertThat(rescored(PredictThenGreedy.best(), Mode.ACTIVE, 60, SECOND))
        .contains("cannot be estimated: nothing was drawn in 60 decisions", "scoring.explore");
  }

  @Test
  void ofAShadowsDecisionsNothingCame() throws Exception {
    assertThat(rescored(learned(), Mode.SHADOW, 60, SECOND))
        .contains("cannot be estimated: no score counted (shadow)");
  }

  @Test
  void aPolicyThatChoosesTheSameHasNothingToGain() throws Exception {
    assertThat(rescored(learned(), Mode.ACTIVE, 60, PredictThenGreedy.best()))
        .contains("what came of it: in 60 decisions it puts first what did come first");
  }

  @Test
  void aReplayThatTakesSecondsSaysThatItIsAtWork() throws Exception {
    rescored(learned(), Mode.ACTIVE, 60, SECOND);
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Replay())
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err))
            .execute(folder.resolve("recording").toString());
    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString().lines())
        .containsExactly("reading " + folder.resolve("recording"), "replaying 60 decisions");
  }

  private static Policy first(int node) {
    return new Policy() {
      @Override
      public String name() {
        return "n" + node + "-first";
      }

      @Override
      public void score(Decision decision, double[] preferences) {
        preferences[node] = 1;
      }
    };
  }

  private static LearnedPolicy learned() {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN);
    return new LearnedPolicy(config, AgentNetwork.initial(config, new SplittableRandom(1)));
  }

  /** Records pods that come every 15 s and go where they are told, and ranks them again. */
  private String rescored(Policy serves, Mode mode, int pods, Policy other) throws IOException {
    Path file = folder.resolve("recording");
    Entry.Start start =
        new Entry.Start(
            Entry.SCHEMA, "test", BEGIN, "dqn", UsageConfig.DEFAULT, new byte[0], List.of());
    try (Recorder recorder =
        Recorder.begin(file, start, 1 << 24, 1 << 24, new Tasks(task -> () -> {}))) {
      SharedState shared =
          new SharedState(new ClusterState(UsageConfig.DEFAULT), clock(), recorder);
      Scorer scorer =
          new Scorer(
              ConfigLoader.load(null, Map.of("BERTH_SCORING_EXPLORE", "0.5")).scoring(),
              new Serving(serves, 1),
              shared,
              new NodeTable(),
              new ServiceMetrics(),
              "test",
              ScorerSink.NONE,
              Runnable::run);
      scorer.intake().sized(Map.of("n0", 64.0, "n1", 64.0, "n2", 64.0, "n3", 64.0));
      for (int i = 0; i < pods + 30; i++, now += EVERY) {
        observe(scorer, i);
        if (i >= 2 && i < pods + 2) {
          place(scorer, mode, i);
        }
      }
    }
    StringWriter text = new StringWriter();
    Rescoring.of(Recording.read(file, false), other).print(new PrintWriter(text));
    return text.toString();
  }

  private void observe(Scorer scorer, int snapshot) {
    List<NodeSample> samples = new ArrayList<>();
    for (int n = 0; n < NODES.length; n++) {
      double cores = USED[n] + Math.sin(now / 7 + n);
      samples.add(
          new NodeSample(NODES[n], now - EVERY, now - 1, cores, 1e9, Double.NaN, Double.NaN));
    }
    scorer.intake().observe(samples, snapshot);
  }

  private void place(Scorer scorer, Mode mode, int i) {
    Pod pod = Pod.of("pod-" + i, "default/Deployment/app-" + i % 30, 1_000, 1 << 28);
    ScoreReply reply =
        scorer.score(new ScoreRequest("d" + i, "test", mode, pod, Given.nodes(NODES)));
    int best = 0;
    for (int n = 0; n < NODES.length; n++) {
      best = reply.scores()[n] > reply.scores()[best] ? n : best;
    }
    scorer
        .intake()
        .apply(List.of(new OutcomeEvent(Type.BOUND, now, "d" + i, pod.uid(), NODES[best], pod)));
    if (i >= 30) {
      String gone = "pod-" + (i - 28);
      scorer.intake().apply(List.of(new OutcomeEvent(Type.GONE, now, null, gone, null, null)));
    }
  }

  private Clock clock() {
    InstantSource byHand = () -> Instant.ofEpochMilli(Math.round(now * 1000));
    return byHand.withZone(ZoneOffset.UTC);
  }
}
