package dev.berth.workbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.workbench.soak.SoakPlan.Phase;
import dev.berth.workbench.soak.SoakResult.PhaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Phase PHASE = new Phase(5_000, 20, Duration.ofMinutes(30));
  private static final IntToDoubleFunction FLAT = i -> 1_080 + (i % 2 == 0 ? 15 : -15);
  private static final IntToDoubleFunction STEADY = i -> 100.0 * i;

  /** A look every ten seconds for half an hour at 20 decisions a second. */
  private static List<Sample> looks(int count, IntToDoubleFunction rss, IntToDoubleFunction steps) {
    List<Sample> all = new ArrayList<>();
    double peak = 0;
    for (int i = 1; i <= count; i++) {
      double r = rss.applyAsDouble(i);
      peak = Math.max(peak, r);
      double done = steps.applyAsDouble(i);
      all.add(sample(i, r, peak, done, 0));
    }
    return all;
  }

  private static Sample sample(int i, double rss, double peak, double steps, double restarts) {
    return new Sample(
        10 * i, 0, 200L * i, 0, 1, rss, peak, 300, heap(rss), 5, 9, 12, steps, steps, restarts,
        Map.of());
  }

  /** All but 300 MiB is heap, which may have 768. */
  private static double heap(double rss) {
    return Math.min(768, rss - 300);
  }

  private static SoakResult run(List<Sample> samples, long errors, String ended, long refused) {
    return new SoakResult(
        new SoakPlan(List.of(PHASE), Duration.ofSeconds(1), ""),
        List.of(new PhaseResult(PHASE, 36_000, 36_000 - errors, errors, 5, 9, 12)),
        samples,
        ended,
        errors + refused > 0 ? "HTTP/1.1 503" : "",
        refused);
  }

  private static List<String> failures(List<Sample> samples) {
    return Verdict.failures(run(samples, 0, "", 0));
  }

  @Test
  void flatMemoryWithLearningAndWithoutErrorsPasses() {
    assertThat(failures(looks(180, FLAT, STEADY))).isEmpty();
  }

  @Test
  void growthWhileTheHeapIsTakenForTheFirstTimeIsNoLeak() {
    IntToDoubleFunction slow = i -> Math.min(1_080, 400 + 5 * i); // full after 136 of 180 looks
    assertThat(failures(looks(180, slow, STEADY))).isEmpty();
    assertThat(failures(looks(180, i -> slow.applyAsDouble(i) + Math.max(0, i - 136) * 4, STEADY)))
        .singleElement()
        .asString()
        .contains("memory is not flat: 1");
  }

  @Test
  void aLeakOfFourKilobytesADecisionFails() {
    double perLook = 200 * 4.0 / 1024; // MiB
    assertThat(failures(looks(180, i -> FLAT.applyAsDouble(i) + perLook * i, STEADY)))
        .singleElement()
        .asString()
        .contains("memory is not flat", "in the second half of phase 1, at most 64");
  }

  /** What the first finding was: half a megabyte a decision. */
  @Test
  void aLeakInAShortRunIsFoundByTheLimit() {
    assertThat(failures(looks(12, i -> 600 + 100 * i, STEADY)))
        .containsExactly("1800 MiB resident, the limit is 1536");
  }

  @Test
  void aPeakBetweenTwoLooksCounts() {
    List<Sample> looks = looks(180, FLAT, STEADY);
    looks.set(40, sample(41, 1_080, 1_600, 4_100, 0));
    assertThat(failures(looks)).containsExactly("1600 MiB resident, the limit is 1536");
  }

  @Test
  void learningMustBeginAndGoOn() {
    assertThat(failures(looks(12, FLAT, i -> 0)))
        .containsExactly("nothing was learned: no gradient step was taken");
    assertThat(failures(looks(180, FLAT, i -> Math.min(i, 50))))
        .containsExactly("no gradient step in the second half of phase 1");
  }

  @Test
  void aLearnerThatBeganAgainFails() {
    List<Sample> looks = looks(12, FLAT, STEADY);
    looks.add(sample(13, 1_080, 1_095, 1_300, 1));
    assertThat(failures(looks)).containsExactly("the learner failed and began again 1 times");
  }

  @Test
  void errorsRefusedOutcomesAndTheEndOfTheProcessFail() {
    assertThat(Verdict.failures(run(looks(180, FLAT, STEADY), 3, "it ended", 2)))
        .containsExactly(
            "it ended",
            "3 decisions without a good answer, the first: HTTP/1.1 503",
            "2 batches of outcomes not taken: HTTP/1.1 503");
  }

  @Test
  void aRunThatEndsBeforeItsFirstLookFails() {
    assertThat(failures(List.of())).contains("NaN MiB resident, the limit is 1536");
  }

  @Test
  void theSlopeIsThatOfTheLineThroughAllLooks() {
    List<Sample> looks = looks(90, i -> 900 + 0.2 * i + (i % 3) * 5, STEADY);
    assertThat(Verdict.perThousand(looks)).isCloseTo(1, within(0.02)); // 0.2 MiB in 200 decisions
    assertThat(Verdict.growth(looks)).isCloseTo(17.8, within(0.4));
  }
}
