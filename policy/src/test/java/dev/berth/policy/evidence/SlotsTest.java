package dev.berth.policy.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.evidence.Slots.Arm;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who serves when. */
class SlotsTest {
  private final Slots slots = new Slots(7, 1_000, 600, 200);

  @Test
  void bothArmsHaveOneSlotOfEveryPair() {
    for (long pair = 0; pair < 100; pair++) {
      assertThat(slots.arm(2 * pair)).isNotEqualTo(slots.arm(2 * pair + 1));
    }
  }

  @Test
  void aCoinNamesTheFirstOfEachPairAndAnotherSeedThrowsItAnew() {
    assertThat(firsts(slots)).isBetween(400L, 600L);
    Slots other = new Slots(8, 1_000, 600, 200);
    long same =
        LongStream.range(0, 1_000).filter(p -> slots.arm(2 * p) == other.arm(2 * p)).count();
    assertThat(same).isBetween(400L, 600L);
  }

  private static long firsts(Slots slots) {
    return LongStream.range(0, 1_000).filter(p -> slots.arm(2 * p) == Arm.A).count();
  }

  @Test
  void theFirstPartOfASlotIsNotMeasured() {
    assertThat(slots.measured(999)).as("before the start").isFalse();
    assertThat(slots.measured(1_199)).isFalse();
    assertThat(slots.measured(1_200)).isTrue();
    assertThat(slots.slot(1_599)).isZero();
    assertThat(slots.slot(1_600)).isEqualTo(1);
    assertThat(slots.measured(1_650)).isFalse();
  }

  @Test
  void aWashoutAsLongAsTheSlotIsRefused() {
    assertThatThrownBy(() -> new Slots(1, 0, 600, 600)).hasMessageContaining("washout < slot");
  }
}
