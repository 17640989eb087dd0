package dev.berth.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.Given;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.SharedState;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page is told of a node. */
class NodeLoadsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long BEGIN = 1_700_000_000;
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final NodeTable nodes = new NodeTable();

  @Test
  void ofASampleTooOldToSteerByNothingIsToldButItsTime() throws Exception {
    Candidates one = Given.nodes("n0");
    nodes.update(one, BEGIN);
    state.deciding(one, BEGIN);
    state.sample(new NodeSample("n0", BEGIN - 15, BEGIN, 32, 64e9, 5, 1), BEGIN);
    JsonNode fresh = loads(BEGIN + 1);
    assertThat(fresh.path("state").asText()).isEqualTo("f");
    assertThat(fresh.at("/cpu/0").asInt()).isEqualTo(500);

    JsonNode stale = loads(BEGIN + 600);
    assertThat(stale.path("state").asText()).isEqualTo("s");
    assertThat(stale.at("/sampledAt/0")).isEqualTo(fresh.at("/sampledAt/0"));
    for (String column : List.of("cpu", "memory", "inFlight")) {
      assertThat(stale.path(column).get(0).isNull()).as(column).isTrue();
    }
  }

  private JsonNode loads(long now) throws Exception {
    Clock clock = Clock.fixed(Instant.ofEpochSecond(now), ZoneOffset.UTC);
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      NodeLoads.of(nodes.all(), new SharedState(state, clock)).write("roster", out);
    }
    return JSON.readTree(text.toString());
  }
}
