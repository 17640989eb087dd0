package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.NodeSample;
import org.junit.jupiter.api.Test;

class DecisionHashTest {
  @Test
  void a_sample_is_hashed_by_what_it_says_of_itself_so_that_old_hashes_compare() {
    for (NodeSample sample :
        new NodeSample[] {
          new NodeSample("node-0", 30, 60, 1.0 / 3, 12_345_678_901.0, 1e-5, 2),
          new NodeSample("n", -0.0, 1e9, Double.NaN, Double.POSITIVE_INFINITY, 0, 1e300)
        }) {
      assertThat(DecisionHash.text(sample)).isEqualTo(sample.toString());
    }
  }
}
