package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyBuffersTest {
  private static final int KIB = 1 << 10;
  private final BodyBuffers buffers = new BodyBuffers(256 * KIB, new LentBytes(320 * KIB));

  @Test
  void aBodyGrowsUpToTheLargestAndKeepsWhatItHas() {
    byte[] small = buffers.first();
    small[64 * KIB - 1] = 7;

    byte[] large = buffers.larger(small, 200 * KIB);

    assertThat(large).hasSize(200 * KIB);
    assertThat(large[64 * KIB - 1]).isEqualTo((byte) 7);
    assertThat(buffers.larger(large, 201 * KIB)).hasSize(256 * KIB);
  }

  @Test
  void whatAllHaveBeyondASmallBodyIsBounded() {
    byte[] one = buffers.larger(buffers.first(), 256 * KIB);
    byte[] other = buffers.larger(buffers.first(), 65 * KIB);

    assertThat(other).hasSize(128 * KIB);
    assertThat(buffers.larger(other, 200 * KIB)).isNull();

    buffers.giveBack(one);
    assertThat(buffers.larger(other, 200 * KIB)).hasSize(256 * KIB);
  }

  @Test
  void aSmallBodyHasItsPlaceWhateverLargeOnesHave() {
    buffers.larger(buffers.first(), 256 * KIB);
    buffers.larger(buffers.first(), 128 * KIB);

    for (int i = 0; i < 100; i++) {
      assertThat(buffers.first()).hasSize(64 * KIB);
    }
  }

  @Test
  void whatIsGivenBackIsTheNextBodys() {
    byte[] used = buffers.larger(buffers.first(), 100 * KIB);
    buffers.giveBack(used);

    assertThat(buffers.first()).isSameAs(used);
  }

  /** Else a body as large as it may be could never be read. */
  @Test
  void oneBodyFitsHoweverSmallTheHeapIs() {
    long heap = Runtime.getRuntime().maxMemory();
    LentBytes lent = LentBytes.ofTheHeap(heap);

    for (long bytes = 0; bytes <= heap / 2; bytes += 64 << 20) {
      assertThat(lent.lend(64 << 20)).isTrue();
    }
  }

  /**
   * Answers lie outside of the heap, where there is no more of it on a machine with more memory.
   */
  @Test
  void whatLiesOutsideOfTheHeapIsLentByThatMeasureToo() {
    LentBytes lent = LentBytes.outsideOfTheHeap();
    int blocks = 0;

    while (lent.lend(1 << 20)) {
      blocks++;
    }

    assertThat(blocks).isBetween(1, 96);
  }
}
