package dev.berth.policy.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RingTest {
  @Test
  void the_oldest_goes_first_also_after_a_restart() {
    Ring<String> ring = new Ring<>(3);
    for (String entry : List.of("a", "b", "c")) {
      assertThat(ring.add(entry)).isNull();
    }
    assertThat(ring.add("d")).isEqualTo("a");
    Ring<String> again = new Ring<>(3, ring.entries(), ring.oldest());
    assertThat(again.add("e")).isEqualTo("b");
    assertThat(again.entries()).containsExactly("d", "e", "c");
    assertThat(ring.entries()).containsExactly("d", "b", "c");
  }

  @Test
  void what_cannot_be_is_refused() {
    assertThatThrownBy(() -> new Ring<>(0)).hasMessageContaining("capacity 0");
    assertThatThrownBy(() -> new Ring<>(1, List.of("a", "b"), 0)).hasMessageContaining("2 entries");
  }
}
