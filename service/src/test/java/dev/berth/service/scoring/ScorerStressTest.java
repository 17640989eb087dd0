package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Weights;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.OutcomeEvent.Type;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scores beside samples, outcomes and swaps of the model; what must hold of every answer. */
@Timeout(120)
class ScorerStressTest {
  private static final int ROUNDS = 1_500;
  private static final String[] NODES = new String[40];

  static {
    Arrays.setAll(NODES, i -> "n" + i);
  }

  private final ConcurrentLinkedQueue<DecisionRecord> records = new ConcurrentLinkedQueue<>();
  private final AgentConfig dqn = AgentConfig.defaults(AgentKind.DQN);

  @Test
  void anAnswerRestsOnOneModelAndOneStateOfTheBooks() throws Exception {
    Scorer scorer = scorer();
    ExecutorService threads = Executors.newFixedThreadPool(5);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        int thread = t;
        work.add(threads.submit(rounds(i -> scorer.score(request(thread + "/" + i)))));
      }
      work.add(threads.submit(rounds(i -> scorer.intake().observe(samples(scorer.now(), i), i))));
      work.add(threads.submit(rounds(i -> scorer.intake().apply(List.of(bound(i), gone(i - 50))))));
      work.add(threads.submit(rounds(i -> scorer.serve(serving(1 + i)))));
      for (Future<?> w : work) {
        w.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(records).hasSize(2 * ROUNDS);
    int corrections = 0;
    for (DecisionRecord record : records) {
      corrections += consistent(record);
    }
    assertThat(corrections).as("told apart by their model").isGreaterThan(ROUNDS);
    assertThat(scorer.tally().decisions()).isEqualTo(2 * ROUNDS);
    assertThat(scorer.runningPods()).isEqualTo(50);
  }

  /**
   * The record's own state, given to the weights of the version that the reply names, has to give
   * the record's correction: with a part of another model it does not.
   *
   * @return how many corrections were looked at; those that could change nothing are not made
   */
  private int consistent(DecisionRecord record) {
    int[] scores = record.reply().scores();
    assertThat(scores).hasSize(NODES.length);
    assertThat(Arrays.stream(scores).max().orElseThrow()).isBetween(50, 100);
    assertThat(Arrays.stream(scores).min().orElseThrow()).isNotNegative();
    DecisionRecord.Learnable learnable = record.learnable();
    assertThat(learnable).isNotNull();
    double[] base = record.base();
    double[] residual = record.residual();
    double[] expected = corrections(record.reply().modelVersion(), learnable.state().rows().all());
    int made = 0;
    for (int i = 0; i < scores.length; i++) {
      assertThat(learnable.preferences()[i]).isEqualTo(base[i] + residual[i]);
      if (residual[i] != 0) {
        assertThat(residual[i]).isCloseTo(expected[i], withinPercentage(1));
        made++;
      }
    }
    assertThat(record.reply().basis()).startsWith("m" + record.reply().modelVersion() + "-");
    return made;
  }

  /** {@code v(after) - v(before)} in units of preference. */
  private double[] corrections(long version, FeatureRows rows) {
    float[] after = Forward.run(weights(version), rows.all(rows.after()));
    float[] before = Forward.run(weights(version), rows.all(rows.before()));
    double[] q = new double[after.length];
    Arrays.setAll(q, i -> (after[i] - before[i]) / 10);
    return q;
  }

  private interface Round {
    void play(int i);
  }

  private static Callable<Void> rounds(Round round) {
    return () -> {
      for (int i = 0; i < ROUNDS; i++) {
        round.play(i);
      }
      return null;
    };
  }

  private Serving serving(long version) {
    return new Serving(new LearnedPolicy(dqn, weights(version)), version);
  }

  /** Each version's own, so small that no correction is clipped. */
  private Weights weights(long version) {
    Weights large = Weights.random(AgentNetwork.spec(dqn), new SplittableRandom(version));
    return large.withZeroOutputs().towards(large, 1e-4);
  }

  private Scorer scorer() {
    return new Scorer(
        ConfigLoader.load(null, Map.of()).scoring(),
        serving(1),
        new SharedState(new ClusterState(UsageConfig.DEFAULT), Clock.systemUTC()),
        new NodeTable(),
        new ServiceMetrics(),
        "test",
        new ScorerSink() {
          @Override
          public void decided(DecisionRecord decision) {
            records.add(decision);
          }

          @Override
          public void happened(List<OutcomeEvent> events) {}

          @Override
          public void measured(List<Measured> measured) {}

          @Override
          public void forgotten(List<String> podUids) {}
        },
        Runnable::run);
  }

  private static ScoreRequest request(String id) {
    Pod pod = Pod.of(id, "shop/ReplicaSet/web", 500, 1 << 20);
    return new ScoreRequest(id, "test", Mode.ACTIVE, pod, Given.nodes(NODES));
  }

  private static List<NodeSample> samples(double now, int round) {
    List<NodeSample> samples = new ArrayList<>();
    for (int i = 0; i < NODES.length; i++) {
      samples.add(new NodeSample(NODES[i], now - 30, now, (i + round) % 20, 1e9, 5, 1));
    }
    return samples;
  }

  private static OutcomeEvent bound(int i) {
    String uid = "pod-" + i;
    Pod pod = Pod.of(uid, "shop/ReplicaSet/web", 500, 1 << 20);
    return new OutcomeEvent(Type.BOUND, i, null, uid, NODES[i % NODES.length], pod);
  }

  private static OutcomeEvent gone(int i) {
    return new OutcomeEvent(Type.GONE, i, null, "pod-" + i, null, null);
  }
}
