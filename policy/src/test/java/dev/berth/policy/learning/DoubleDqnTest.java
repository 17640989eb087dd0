package dev.berth.policy.learning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DoubleDqnTest {
  private static final float[] ONLINE = {9, 1, 3, 2};
  private static final float[] TARGET = {90, 10, 30, 20};

  @Test
  void the_online_network_chooses_and_the_target_network_values() {
    boolean[] all = {true, true, true, true};
    assertThat(DoubleDqn.next(ONLINE, TARGET, all, 0, 4)).isEqualTo(90);
    assertThat(DoubleDqn.next(ONLINE, TARGET, all, 1, 4)).isEqualTo(30);
    assertThat(DoubleDqn.next(ONLINE, new float[] {0, 5, 4, 9}, all, 1, 4)).isEqualTo(4);
  }

  @Test
  void padding_is_no_choice() {
    boolean[] some = {false, true, false, true};
    assertThat(DoubleDqn.next(ONLINE, TARGET, some, 0, 4)).isEqualTo(20);
    assertThat(DoubleDqn.next(ONLINE, TARGET, new boolean[4], 0, 4)).isZero();
  }
}
