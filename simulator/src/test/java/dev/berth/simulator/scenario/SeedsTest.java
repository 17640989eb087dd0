package dev.berth.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeedsTest {
  @Test
  void a_count_starts_at_the_first_held_out_seed_and_a_span_says_itself() {
    assertThat(Seeds.parse("2").list()).containsExactly(9001L, 9002L);
    assertThat(Seeds.parse("41-42").list()).containsExactly(41L, 42L);
  }

  @Test
  void a_seed_written_as_a_count_is_refused_with_the_fix() {
    assertThatThrownBy(() -> Seeds.parse("9001"))
        .hasMessage("seeds '9001': a number alone is a count; for that one seed write 9001-9001");
  }
}
