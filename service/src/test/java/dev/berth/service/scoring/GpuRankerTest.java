package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

final class GpuRankerTest {
  private static final List<GpuNode> KNOWN =
      List.of(new GpuNode("known", "T4", 4, 64_000, 1L << 38));

  private int asked;
  private final List<Runnable> refreshes = new ArrayList<>();
  private final GpuRanker ranker = ranker(Runnable::run);

  private static GpuRanker ranker(Executor background) {
    return new GpuRanker(ValueModel::shipped, () -> KNOWN, background);
  }

  @Test
  void aPodGetsCardsWithRoomOnEveryCandidateThatHasSome() {
    GpuRanker.Answer answer = ranker.rank(ask(600, new int[][] {{1000, 500}, {400, 700}, {100}}));
    assertThat(answer.cards()[0]).containsExactly(0);
    assertThat(answer.cards()[1]).containsExactly(1);
    assertThat(answer.cards()[2]).as("no card has room").isEmpty();
  }

  @Test
  void aCandidateWithoutRoomNeverBeatsOneWithRoomNorStretchesTheScale() {
    double[] p =
        ranker
            .rank(ask(600, new int[][] {{1000, 1000}, {700, 1000}, {100, 100}}))
            .ranking()
            .preferences();
    assertThat(p[2]).isEqualTo(Math.min(p[0], p[1]));
    assertThat(p[1]).as("best fit takes the card that is nearly full").isGreaterThan(p[0]);
  }

  @Test
  void theLearnedValueTakesOverOnceTheWorkloadIsKnown() {
    assertThat(ranker.rank(ask(500, new int[][] {{1000}})).policy()).isEqualTo("best-fit");
    GpuRanker.Answer last = ranker.rank(ask(500, new int[][] {{1000}}));
    for (int i = 0; i < 60; i++) {
      last = ranker.rank(ask(500, new int[][] {{1000}, {500}}));
    }
    assertThat(last.policy()).isEqualTo("gpu-value");
    assertThat(last.ranking().preferences()).doesNotContain(Double.NaN);
  }

  @Test
  void aQuestionNeverWaitsForTheWorkloadToBeWorkedOut() {
    GpuRanker waiting = ranker(refreshes::add);
    for (int i = 0; i < 500; i++) {
      assertThat(waiting.rank(ask(500, new int[][] {{1000}})).policy()).isEqualTo("best-fit");
    }
    assertThat(refreshes).as("one at a time").hasSize(1);
    refreshes.get(0).run();
    assertThat(waiting.rank(ask(500, new int[][] {{1000}})).policy()).isEqualTo("gpu-value");
    assertThat(refreshes).as("the next one is due by now").hasSize(2);
  }

  @Test
  void withoutAKnownNodeBestFitGoesOn() {
    GpuRanker alone = new GpuRanker(ValueModel::shipped, List::of, Runnable::run);
    for (int i = 0; i < 60; i++) {
      assertThat(alone.rank(ask(500, new int[][] {{1000}})).policy()).isEqualTo("best-fit");
    }
  }

  @Test
  void podsWithoutGpusAreNoneOfItsBusiness() {
    Decision d = ask(500, new int[][] {{1000}});
    assertThat(GpuRanker.concerns(d.pod(), d.candidates())).isTrue();
    assertThat(GpuRanker.concerns(Pod.of("p", "o", 100, 100), d.candidates())).isFalse();
  }

  @Test
  void aPodThatIsAskedAboutAgainAndAgainIsOneOfThoseThatCome() {
    GpuRanker waiting = ranker(refreshes::add);
    for (int i = 0; i < 60; i++) {
      waiting.rank(ask(500, new int[][] {{1000}}));
    }
    refreshes.get(0).run();
    for (int i = 0; i < 1_000; i++) {
      waiting.rank(ask("stuck", 1, new int[][] {{1000}}));
    }
    assertThat(refreshes).as("nothing else has come").hasSize(1);
  }

  private Decision ask(int milli, int[][] free) {
    return ask("p" + asked++, milli, free);
  }

  private static Decision ask(String uid, int milli, int[][] free) {
    Pod pod =
        new Pod(
            uid,
            "p",
            "default",
            "o",
            0,
            4000,
            1L << 30,
            new GpuRequest(1, milli, List.of()),
            LatencyLimits.NONE);
    return new Decision(0, pod, Given.gpuNodes(free), new ClusterState(UsageConfig.DEFAULT));
  }
}
