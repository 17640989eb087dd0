package dev.berth.service.regret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceTest {
  private static final Figures NONE = new Figures(0, 0, null, null, null, null);

  @Test
  void whatIsClearIsFollowed() {
    assertThat(of(watched(0.005, 0.004, 0.006), NONE))
        .isEqualTo(
            "go to canary, because by what was measured the nodes that pods got cost more than"
                + " Berth's, +5.00 (+4.00 to +6.00) thousandths a pod");
    assertThat(of(watched(0.005, 0.004, 0.006), placed())).startsWith("widen the canary");
    assertThat(of(watched(-0.005, -0.006, -0.004), NONE))
        .startsWith("stay in shadow, because by what was measured Berth's nodes would have cost");
    assertThat(of(watched(-0.005, -0.006, -0.004), placed())).startsWith("go back to shadow");
  }

  @Test
  void whatIsNotClearIsWatchedOnAndForHowLongIsSaid() {
    assertThat(of(watched(0.005, -0.005, 0.015), NONE))
        .startsWith("stay in shadow, because what was measured is not clear, +5.00 (-5.00 to")
        .endsWith("were the mean to stay, some 6 more days"); // an interval half as wide
    assertThat(of(watched(-0.001, -0.005, 0.003), NONE)).doesNotContain("more days");
  }

  @Test
  void tooLittleDataAndTooFewOpinionsAreNoGrounds() {
    Mean few = new Mean(0.005, List.of(0.004, 0.006), 99);
    assertThat(of(new Figures(99, 0, null, null, few, null), NONE))
        .isEqualTo(
            "stay in shadow, because too little data: only 99 pods that the other plugins placed"
                + " were measured five minutes later, it takes 100");
    Mean unsure = new Mean(0.005, null, 1_000);
    assertThat(of(new Figures(1_000, 0, null, null, unsure, null), NONE))
        .endsWith("are of too few owners or hours, it takes six of both");
    assertThat(of(NONE, placed()))
        .startsWith("change nothing, because no pod that the other plugins placed was measured")
        .endsWith("so there is nothing to compare with");
    assertThat(of(new Figures(100, 30, null, null, null, null), NONE))
        .isEqualTo(
            "stay in shadow, because Berth had no opinion on 30 of 100 pods: see berth doctor");
  }

  private static String of(Figures others, Figures berth) {
    Advice advice = Advice.of(others, berth, 2);
    return advice.action() + ", because " + advice.because();
  }

  private static Figures watched(double mean, double low, double high) {
    return new Figures(1_000, 0, null, null, new Mean(mean, List.of(low, high), 1_000), null);
  }

  private static Figures placed() {
    return new Figures(500, 0, null, null, null, null);
  }
}
