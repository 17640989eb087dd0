package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workbench.fuzz.Mutations;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuCardsTest {
  private static Map<String, String> notes(String count, String milli, String cards) {
    return Map.of(
        "alibabacloud.com/gpu-count", count,
        "alibabacloud.com/gpu-milli", milli,
        "alibabacloud.com/gpu-index", cards);
  }

  @Test
  void cardsAreThoseOfTheNode() {
    assertThat(GpuRun.cards(notes("2", "1000", "0-3"), 4)).containsExactly(0, 3);
    assertThat(GpuRun.cards(notes("1", "500", "1"), 2)).containsExactly(1);
  }

  @Test
  void annotationsThatMakeNoSenseNameNoCards() {
    assertThat(GpuRun.cards(notes("2", "1000", "0-0"), 4)).isEmpty();
    assertThat(GpuRun.cards(notes("2", "1000", "0"), 4)).isEmpty();
    assertThat(GpuRun.cards(notes("1", "1000", "4"), 4)).isEmpty();
    assertThat(GpuRun.cards(notes("1", "-5", "0"), 4)).isEmpty();
    assertThat(GpuRun.cards(Map.of(), 4)).isEmpty();
    assertThat(GpuRun.cards(notes("1", "500", "0"), 0)).isEmpty();
  }

  @Test
  void whateverIsWrittenThereNamesCardsOfTheNodeOrNone_seed1() {
    Mutations mutations =
        new Mutations(1, List.of("0-1-2".getBytes(StandardCharsets.UTF_8), new byte[] {'1'}));
    for (int i = 0; i < 10_000; i++) {
      Map<String, String> notes = new HashMap<>(notes("1", "500", "0"));
      for (String key : List.copyOf(notes.keySet())) {
        notes.put(key, new String(mutations.next(), StandardCharsets.UTF_8));
      }
      assertThat(GpuRun.cards(notes, 3)).isSubsetOf(0, 1, 2).doesNotHaveDuplicates();
    }
  }
}
