package dev.berth.policy.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.evidence.Slots.Arm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a switchback experiment makes of its readings. */
class SwitchbackTest {
  private static final double SLOT = 100;
  private final Slots slots = new Slots(3, 0, SLOT, 40);
  private final Switchback switchback = new Switchback(slots, 2);

  private void play(int slotsPlayed) {
    for (double at = 0; at < slotsPlayed * SLOT; at += 10) {
      boolean b = slots.arm(slots.slot(at)) == Arm.B;
      double left = at % SLOT < 40 ? 50 : 0; // what the other arm left behind
      switchback.measured(at, new double[] {(b ? 3 : 1) + left, 7});
    }
    switchback.measured(slotsPlayed * SLOT, new double[] {0, 0});
  }

  @Test
  void aPairsDifferenceIsThatOfItsTwoMeansAfterTheWashout() {
    play(20);
    assertThat(switchback.pairs()).hasSize(10);
    assertThat(switchback.pairs().get(4).a()).containsExactly(1, 7);
    assertThat(switchback.pairs().get(4).b()).containsExactly(3, 7);
    assertThat(switchback.difference(0).mean()).isCloseTo(2, within(1e-12));
    assertThat(switchback.meanOfA(0)).isCloseTo(1, within(1e-12));
  }

  @Test
  void aSlotWithoutAReadingTakesItsPairWithIt() {
    for (double at = 0; at < 600; at += 10) {
      boolean away = at >= 200 && at < 300;
      switchback.measured(at, new double[] {away ? Double.NaN : 1, 1});
    }
    switchback.measured(600, new double[] {1, 1});
    assertThat(switchback.pairs()).extracting(Switchback.Pair::number).containsExactly(0L, 2L);
  }

  @Test
  void aSlotThatIsNotOverDoesNotCount() {
    play(2);
    assertThat(switchback.pairs()).hasSize(1);
    switchback.measured(260, new double[] {1, 1});
    switchback.measured(390, new double[] {1, 1});
    assertThat(switchback.pairs()).hasSize(1);
  }

  @Test
  void pairsOfBeforeARestartCountOn() {
    play(20);
    Switchback again = new Switchback(slots, 2);
    switchback.pairs().forEach(again::add);
    assertThat(again.difference(0).counted()).isEqualTo(switchback.difference(0).counted());
    assertThat(again.meanOfA(1)).isEqualTo(7);
  }

  @Test
  void aClockThatIsPutBackCountsNoPairTwice() {
    play(20);
    play(20);
    assertThat(switchback.pairs()).hasSize(10);
    play(22);
    assertThat(switchback.pairs()).hasSize(11);
  }

  @Test
  void whoServesIsAskedOftenSoVerdictsAreReckonedOncePerPair() {
    play(8);
    List<SwitchbackVerdict> verdicts = switchback.verdicts();
    switchback.serving(850);
    switchback.measured(850, new double[] {1, 1});
    assertThat(switchback.verdicts()).isSameAs(verdicts);
    play(12);
    assertThat(switchback.verdicts()).isNotSameAs(verdicts);
  }

  @Test
  void atHarmAServesForGoodAndNothingMoreIsMeasured() {
    play(20);
    assertThat(switchback.serving(2_050)).isEqualTo(slots.arm(20));
    assertThat(switchback.serving(2_150)).isEqualTo(slots.arm(21)).isNotEqualTo(slots.arm(20));
    play(60);
    assertThat(switchback.harm()).isTrue();
    assertThat(List.of(switchback.serving(7_050), switchback.serving(7_150))).containsOnly(Arm.A);
    int pairs = switchback.pairs().size();
    play(80);
    assertThat(switchback.pairs()).hasSize(pairs);
  }

  @Test
  void anotherNumberOfMeasuresIsRefused() {
    assertThatThrownBy(() -> switchback.measured(0, new double[1])).hasMessage("1 measures, not 2");
    Switchback.Pair three = new Switchback.Pair(0, new double[3], new double[3]);
    assertThatThrownBy(() -> switchback.add(three)).hasMessageContaining("2 measures");
  }
}
