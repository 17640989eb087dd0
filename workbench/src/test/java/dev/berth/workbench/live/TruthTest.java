package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TruthTest {
  private static List<JsonNode> since(Truth truth, double from) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : truth.since(from).lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  @Test
  void saysWhichPodBeganAndEndedWhereAndWhatEveryNodeWanted() throws IOException {
    Truth truth = new Truth();
    truth.started(9, "early", "shop/Deployment/web", "node-0");
    truth.started(10, "a", "shop/Deployment/web", "node-1");
    truth.ended(12, "a", "shop/Deployment/web", "node-1");
    truth.demand(9, Map.of("node-0", 1.0));
    truth.demand(11, new TreeMap<>(Map.of("node-0", 1.0, "node-1", 2.00004)));
    List<JsonNode> lines = since(truth, 10);
    assertThat(lines)
        .hasSize(3)
        .allSatisfy(l -> assertThat(l.at("/kind").asText()).isEqualTo("truth"));
    assertThat(lines.get(0).at("/what").asText()).isEqualTo("pod-started");
    assertThat(lines.get(0).at("/node").asText()).isEqualTo("node-1");
    assertThat(lines.get(1).at("/what").asText()).isEqualTo("pod-ended");
    assertThat(lines.get(1).at("/at").asDouble()).isEqualTo(12);
    assertThat(lines.get(2).at("/cores/node-1").asDouble()).isEqualTo(2);
  }

  @Test
  void theOldestGoWhenThereIsTooMuch() throws IOException {
    Truth truth = new Truth(7, 3);
    for (int i = 0; i < 5; i++) {
      truth.demand(i, new TreeMap<>(Map.of("node-0", 1.0, "node-1", 2.0)));
      truth.started(i, "pod-" + i, "owner", "node-0");
    }
    assertThat(since(truth, 0))
        .extracting(l -> l.at("/what").asText() + " " + l.at("/at").asInt())
        .containsExactly(
            "pod-started 2", "pod-started 3", "pod-started 4", "demand 2", "demand 3", "demand 4");
  }
}
