package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.text.StrictJson;
import dev.berth.service.recording.Entry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TruthTest {
  private static List<Entry> since(Truth truth, double from) {
    return truth
        .since(from)
        .lines()
        .map(
            line ->
                StrictJson.read(line.getBytes(StandardCharsets.UTF_8), Entry.class, "the exporter"))
        .toList();
  }

  @Test
  void saysWhenPodsStartedAndWhatEveryNodeWantedAsARecordingDoes() {
    Truth truth = new Truth();
    truth.started(9, "early");
    truth.started(10, "a");
    truth.demand(9, Map.of("node-0", 1.0));
    truth.demand(11, new TreeMap<>(Map.of("node-0", 1.0, "node-1", 2.00004)));
    assertThat(since(truth, 10))
        .containsExactly(
            Entry.of(new Entry.Started(10, "a")),
            Entry.of(new Entry.Truth(11, Map.of("node-0", 1.0, "node-1", 2.0))));
  }

  @Test
  void theOldestGoWhenThereIsTooMuch() {
    Truth truth = new Truth(7, 3);
    for (int i = 0; i < 5; i++) {
      truth.demand(i, new TreeMap<>(Map.of("node-0", 1.0, "node-1", 2.0)));
      truth.started(i, "pod-" + i);
    }
    assertThat(since(truth, 0))
        .extracting(e -> e.truth() == null ? e.started().pod() : "demand " + e.truth().at())
        .containsExactly("pod-2", "pod-3", "pod-4", "demand 2.0", "demand 3.0", "demand 4.0");
  }
}
