package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which candidates of a decision are kept, and how. */
class CandidateColumnsTest {

  @Test
  void theBestAreKeptAndEqualOnesInTheirOrder_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n : new int[] {0, 1, 5, 99, 100, 101, 5000}) {
      int[] scores = random.ints(n, 0, 101).toArray();
      int[] sorted =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingInt((Integer i) -> -scores[i]).thenComparing(i -> i))
              .limit(100)
              .mapToInt(Integer::intValue)
              .toArray();
      assertThat(CandidateColumns.best(scores, 100)).as("%d candidates", n).isEqualTo(sorted);
    }
  }
}
