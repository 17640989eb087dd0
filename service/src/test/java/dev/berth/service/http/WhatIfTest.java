package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.Given;
import dev.berth.service.Service;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.ScoreRequest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A what-if changes nothing. */
class WhatIfTest {
  private static final Pod POD = Pod.of("p", "default/Pod/p", 100, 1 << 20);
  private final Candidates nodes = Given.nodes("n0", "n1", "n2", "n3");

  @Test
  void anyNumberOfThemLeavesTheExplorationBudgetAndTheCountsAsTheyWere(@TempDir Path folder) {
    try (Service service =
        Service.start(
            ConfigLoader.load(
                null,
                Map.of(
                    "BERTH_SERVER_PORT", "0",
                    "BERTH_SERVER_READ_PORT", "0",
                    "BERTH_SERVER_WARM_UP", "0s",
                    "BERTH_SCORING_EXPLORE", "0.5",
                    "BERTH_STATE_FOLDER", folder.toString())))) {
      for (int i = 0; i < 1000; i++) {
        assertThat(service.scorer().whatIf(POD, nodes).explored()).isFalse();
      }
      assertThat(service.scorer().tally().decisions()).isZero();
      int explored = 0;
      for (int i = 0; i < 100; i++) {
        ScoreRequest request = new ScoreRequest("d/" + i, "", Mode.ACTIVE, POD, nodes);
        explored += service.scorer().score(request).explored() ? 1 : 0;
      }
      assertThat(explored).as("of 100 decisions, three in eight on average").isGreaterThan(10);
    }
  }
}
