package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Ties;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every agent, whatever its weights. */
final class AgentsTest {
  private static final int REPLICAS = 5;

  @ParameterizedTest(name = "{0}, seed 1")
  @EnumSource(AgentKind.class)
  void node_order_does_not_matter(AgentKind kind) {
    LearnedPolicy policy = alone(kind, 1);
    int n = 12;
    int[] order = new int[n];
    Arrays.setAll(order, i -> (i * 5 + 3) % n);
    int[] straight = new int[n];
    Arrays.setAll(straight, i -> i);
    double[] expected = scores(policy, decision(straight));
    double[] permuted = scores(policy, decision(order));
    for (int i = 0; i < n; i++) {
      assertThat(permuted[i]).isCloseTo(expected[order[i]], within(1e-5));
    }
    assertThat(Arrays.stream(expected).distinct().count()).isGreaterThan(1);
  }

  @ParameterizedTest(name = "{0} nodes, seed 1")
  @ValueSource(ints = {2, 10, 100, 1000})
  void anyNumberOfNodesIsScored(int n) {
    int[] nodes = new int[n];
    Arrays.setAll(nodes, i -> i);
    for (AgentKind kind : AgentKind.values()) {
      double[] scores = scores(alone(kind, 1), decision(nodes));
      assertThat(scores).hasSize(n);
      assertThat(Arrays.stream(scores).allMatch(Double::isFinite)).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}, seed 1")
  @EnumSource(value = AgentKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PLAIN_DQN")
  void aResidualStartsExactlyAtItsBase(AgentKind kind) {
    AgentConfig config = AgentConfig.defaults(kind);
    Decision d = decision(new int[] {0, 1, 2, 3});
    LearnedPolicy policy =
        new LearnedPolicy(config, AgentNetwork.initial(config, new SplittableRandom(1)));
    double[] base = new double[4];
    policy.predictor().score(d, base);
    assertThat(scores(policy, d)).containsExactly(base, within(1e-12));
  }

  @ParameterizedTest(name = "{0}, seed 1")
  @EnumSource(
      value = AgentKind.class,
      names = {"GNN", "AC_GNN"})
  void nodesThatRunTheOwnerHearEachOther(AgentKind kind) {
    AgentConfig config = AgentConfig.defaults(kind).alone();
    Decision d = decision(new int[] {0, 1, 2, 3});
    FeatureRows rows = new AgentRows(config, d, PredictThenGreedy.best().forecast(d)).all();
    int[] owners = rows.groups()[NetworkSpec.Group.OWNER.ordinal()];
    assertThat(owners)
        .containsExactly(0, 0, -1, -1); // the cluster state have its pods on nodes 0 and 1
    Weights weights = AgentNetwork.initial(config, new SplittableRandom(1));
    double[] withNeighbours = ValueDifference.of(kind, weights, rows);
    Arrays.fill(owners, -1);
    double[] alone = ValueDifference.of(kind, weights, rows);
    assertThat(withNeighbours[0]).isNotCloseTo(alone[0], within(1e-6));
    assertThat(withNeighbours[1]).isNotCloseTo(alone[1], within(1e-6));
  }

  @ParameterizedTest(name = "{0}, seed 1")
  @EnumSource(AgentKind.class)
  void whatAllNodesHaveInCommonMovesNoCorrectionAndWhatTellsThemApartDoes(AgentKind kind) {
    LearnedPolicy policy = alone(kind, 1);
    Attribution found =
        Attribution.of(policy, DecisionState.of(policy, decision(new int[] {0, 1, 2, 3})));
    assertThat(found.features()).hasSameSizeAs(found.moved()).doesNotContain("cpu0.deviation");
    for (String same : List.of("clusterCpu", "clusterStd", "podSurvival", "ownerStd")) {
      assertThat(moved(found, same)).as(same).containsExactly(new double[4], within(1e-6));
    }
    assertThat(Arrays.stream(moved(found, "cpu0")).map(Math::abs).max().orElse(0))
        .isGreaterThan(1e-5);
  }

  private static double[] moved(Attribution found, String feature) {
    return found.moved()[found.features().indexOf(feature)];
  }

  @Test
  void withoutContextANodeDoesNotKnowHowItCompares() {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN).alone().with(p -> p.context = false);
    double[] few = scores(policy(config), decision(new int[] {0, 1}));
    double[] many = scores(policy(config), decision(new int[] {0, 1, 2, 3, 4, 5}));
    assertThat(many[0]).isCloseTo(few[0], within(1e-9));
    double[] seeing = scores(alone(AgentKind.DQN, 1), decision(new int[] {0, 1}));
    double[] seeingMany = scores(alone(AgentKind.DQN, 1), decision(new int[] {0, 1, 2, 3, 4, 5}));
    assertThat(seeingMany[0]).isNotCloseTo(seeing[0], within(1e-6));
  }

  @Test
  void aGlobalRewardIsCreditedToTheChosenCandidateAlone() {
    double[] global = Credit.CLUSTER.rewards(measured(0.2, 0.6), 1);
    assertThat(global[0]).isNaN();
    assertThat(global[1]).isCloseTo(-0.2, within(1e-12));
    assertThat(Credit.LEVEL.rewards(measured(0.2, 0.6), 1))
        .containsExactly(new double[] {-0.3, -0.7}, within(1e-12));
    assertThat(Credit.CLUSTER.rewards(measured(1.2, 1.2), 0)[0])
        .isCloseTo(-2, within(1e-12)); // ten times the overload
  }

  private static Measurement measured(double... load) {
    return Measurement.of(
        Measurement.Limits.alone(LatencyLimits.NONE, 2),
        new long[] {1000, 1000},
        new long[] {1000, 1000},
        new int[2],
        load,
        load,
        0.1);
  }

  @Test
  void theClipBoundsWhateverTheNetworkSays_seed1() {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN);
    Weights wild = Weights.random(AgentNetwork.spec(config), new SplittableRandom(1));
    Decision d = decision(new int[] {0, 1, 2, 3});
    LearnedPolicy.Explanation wide =
        new LearnedPolicy(config.with(p -> p.clip = 10.0), wild).explain(d);
    LearnedPolicy.Explanation narrow =
        new LearnedPolicy(config.with(p -> p.clip = 1e-6), wild).explain(d);
    for (int i = 0; i < 4; i++) {
      assertThat(Math.abs(wide.correction()[i])).isGreaterThan(Math.abs(narrow.correction()[i]));
      assertThat(narrow.correction()[i]).isCloseTo(0, within(1e-4));
    }
    assertThat(new LearnedPolicy(config.with(p -> p.clip = 0.0), wild).explain(d).correction())
        .containsOnly(0);
  }

  @Test
  void aClipFromOutsideLowersTheModelsOwnAndNeverRaisesIt_seed1() {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN);
    Weights wild = Weights.random(AgentNetwork.spec(config), new SplittableRandom(1));
    Decision d = decision(new int[] {0, 1, 2, 3});
    LearnedPolicy policy = new LearnedPolicy(config.with(p -> p.clip = 1e-6), wild);
    double[] own = policy.explain(d).correction();
    assertThat(own).doesNotContain(0);
    assertThat(policy.explain(d, 1).correction()).containsExactly(own);
    assertThat(policy.explain(d, 0).correction()).containsOnly(0);
    double[] half = policy.explain(d, 5e-7).correction();
    for (int i = 0; i < 4; i++) {
      assertThat(half[i]).isCloseTo(own[i] / 2, within(1e-12));
    }
    assertThat(policy.explain(d, 0).base()).containsExactly(policy.explain(d).base());
  }

  @ParameterizedTest(name = "clip {0}, seeds 1 to 20")
  @ValueSource(doubles = {0, 0.001, 0.01, 0.03, 10})
  void whoComesFirstIsTheSameThoughOnlyThoseWhoMayAreCorrected(double clip) {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN).with(p -> p.clip = 0.03);
    Decision d = decision(IntStream.range(0, 300).toArray());
    for (int seed = 1; seed <= 20; seed++) {
      Weights wild = Weights.random(AgentNetwork.spec(config), new SplittableRandom(seed));
      LearnedPolicy policy = new LearnedPolicy(config, wild);
      LearnedPolicy.Explanation all = policy.explain(d, clip);
      LearnedPolicy.Explanation some = policy.decide(d, clip);
      assertThat(firsts(some)).isEqualTo(firsts(all));
      for (int i = 0; i < 300; i++) {
        assertThat(some.correction()[i]).isIn(0.0, all.correction()[i]);
      }
    }
  }

  @ParameterizedTest(name = "alone {0}, seeds 1 to 20")
  @ValueSource(booleans = {true, false})
  void noCorrectionPushesANodeOverItsMemory(boolean alone) {
    AgentConfig residual = AgentConfig.defaults(AgentKind.DQN).with(p -> p.clip = 10.0);
    AgentConfig config = alone ? residual.alone() : residual;
    Decision d = decision(IntStream.range(0, 30).toArray());
    Set<Integer> full = Set.of(0, 11, 22); // the idlest
    for (int i = 0; i < 30; i++) {
      double held = (full.contains(i) ? 280.0 : 100) * (1L << 30);
      d.state()
          .sample(new NodeSample("node-" + i, 30, 60, i % 11, held, Double.NaN, Double.NaN), 60);
    }
    boolean wanted = false;
    for (int seed = 1; seed <= 20; seed++) {
      Weights wild = Weights.random(AgentNetwork.spec(config), new SplittableRandom(seed));
      LearnedPolicy.Explanation e = new LearnedPolicy(config, wild).decide(d, 10);
      double[] kept = e.preferences();
      List<Integer> order =
          IntStream.range(0, 30).boxed().sorted(Comparator.comparing(i -> kept[i])).toList();
      assertThat(order.subList(0, 3)).containsExactlyInAnyOrderElementsOf(full);
      double[] free = new double[30];
      Arrays.setAll(free, i -> e.base()[i] + e.correction()[i]);
      double best = Arrays.stream(free).max().orElseThrow();
      wanted |= full.stream().anyMatch(i -> free[i] == best);
    }
    assertThat(wanted || !alone).as("without the limit one would have come first").isTrue();
  }

  @Test
  void ofCandidatesFarApartOnlyTheBestAreCorrected() {
    double[] base = {-0.5, -0.1, -0.3, -0.32, -0.1};
    double[] clips = {0.1, 0.1, 0.1, 0.1, 0};
    assertThat(LearnedPolicy.contenders(base, clips, 1)).containsExactly(1, 4);
    assertThat(LearnedPolicy.contenders(base, new double[] {0.1, 0.1, 0.1, 0.1, 0.1}, 1))
        .containsExactly(1, 2, 4);
    assertThat(LearnedPolicy.contenders(base, clips, 0)).containsExactly(1, 4);
  }

  @Test
  void aNetworkThatSaysNothingIsNotAsked() {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN);
    Weights silent = AgentNetwork.initial(config, new SplittableRandom(1));
    assertThat(silent.silent()).isTrue();
    Arrays.fill(silent.get("layer0.weight"), Float.NaN); // asked, it would answer NaN
    Decision d = decision(new int[] {0, 1, 2, 3});
    assertThat(new LearnedPolicy(config, silent).explain(d).correction()).containsOnly(0);
    LearnedPolicy policy = new LearnedPolicy(config, silent);
    assertThat(policy.decide(d, 1).correction()).containsOnly(0);
    for (double[] moved : Attribution.of(policy, DecisionState.of(policy, d)).moved()) {
      assertThat(moved).containsOnly(0);
    }
    Weights wild = Weights.random(AgentNetwork.spec(config), new SplittableRandom(1));
    assertThat(wild.silent()).isFalse();
  }

  /** Who comes first, and who ties for it. */
  private static List<Integer> firsts(LearnedPolicy.Explanation e) {
    double[] preferences = e.preferences();
    double threshold = Ties.threshold(Arrays.stream(preferences).max().orElseThrow());
    return IntStream.range(0, preferences.length)
        .filter(i -> preferences[i] >= threshold)
        .boxed()
        .toList();
  }

  @Test
  void explorationKeepsToItsBandBudgetAndPriorities_seed1() {
    Exploration.Limits limits = new Exploration.Limits(0.5, 0.8, 3, 1000);
    Exploration exploration = new Exploration(limits, new SplittableRandom(1));
    Decision d = decision(new int[] {0, 1, 2, 3});
    double[] preferences = {1, 0.9, 0.7, 0};
    double[] usage = {0.5, 0.9, 0.5, 0.1}; // 1 is hot, 3 is outside the band
    int explored = 0;
    for (int i = 0; i < 200; i++) {
      Exploration.Choice choice = exploration.choose(d, preferences, usage, 1);
      assertThat(choice.candidate()).isIn(0, 2);
      assertThat(choice.near()).containsExactly(explored < 3 ? new int[] {0, 2} : new int[] {0});
      explored += choice.explored() ? 1 : 0;
    }
    assertThat(explored).isEqualTo(3);
    Exploration fresh =
        new Exploration(new Exploration.Limits(1, 2, 100, 0), new SplittableRandom(1));
    for (int i = 0; i < 50; i++) {
      assertThat(fresh.choose(d, preferences, usage, 1).explored()).isFalse();
    }
  }

  private static LearnedPolicy policy(AgentConfig config) {
    return new LearnedPolicy(config, AgentNetwork.initial(config, new SplittableRandom(1)));
  }

  private static LearnedPolicy alone(AgentKind kind, long seed) {
    AgentConfig config = AgentConfig.defaults(kind).alone();
    return new LearnedPolicy(config, AgentNetwork.initial(config, new SplittableRandom(seed)));
  }

  private static double[] scores(LearnedPolicy policy, Decision d) {
    double[] out = new double[d.candidates().size()];
    policy.score(d, out);
    return out;
  }

  /** Nodes of different fill, sampled a moment ago. */
  static Decision decision(int[] nodes) {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    int n = nodes.length;
    String[] names = new String[n];
    long[] cpu = new long[n];
    long[] memory = new long[n];
    int[] limit = new int[n];
    long[] requested = new long[n];
    String[] zones = new String[n];
    String[] racks = new String[n];
    for (int i = 0; i < n; i++) {
      int k = nodes[i];
      names[i] = "node-" + k;
      cpu[i] = 64_000;
      memory[i] = 256L << 30;
      limit[i] = 110;
      requested[i] = 1000L * (k % 7);
      zones[i] = "zone-" + k % 3;
      racks[i] = "rack-" + k % 5;
    }
    Candidates c =
        new Candidates(
            names,
            cpu,
            memory,
            limit,
            requested,
            new long[n],
            new int[n],
            new long[n],
            new long[n],
            new int[n],
            zones,
            racks,
            null);
    Pod pod = Pod.of("pod", "default/Deployment/web", 1000, 2L << 30);
    state.deciding(c, 0);
    for (int k = 0; k < n; k++) {
      state.sample(
          new NodeSample("node-" + k, 0, 30, k % 11, Double.NaN, Double.NaN, Double.NaN), 40);
    }
    for (int r = 0; r < REPLICAS; r++) {
      state.podBound(Pod.of("other-" + r, "default/Deployment/web", 1000, 1), "node-" + r % 2, 35);
    }
    return new Decision(50, pod, c, state);
  }
}
