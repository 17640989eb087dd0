package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.config.ServiceConfig;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.task.Tasks;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service that starts again finds to be running. */
@Timeout(60)
class StoredPodsTest {
  @Test
  void aPodThatIsToldOfAfterItsEndIsNotThereAfterARestart(@TempDir Path folder) throws Exception {
    FastClock clock = new FastClock(1);
    try (FourNodes cluster = new FourNodes(folder, clock, Map.of())) {
      Instant now = clock.instant();
      String bound =
          """
          {"type":"bound","at":"%s","node":"n1",
           "pod":{"uid":"dead","owner":"shop/Pod/dead","cpuMilli":1000}}"""
              .formatted(now);
      String gone =
          "{\"type\":\"gone\",\"at\":\"%s\",\"node\":\"n1\",\"uid\":\"dead\"}".formatted(now);
      cluster.post("/v1/outcomes", "{\"events\":[" + bound + "," + gone + "]}");
      // The list of another scheduler, whose informer is behind.
      cluster.post("/v1/outcomes", "{\"events\":[" + bound + "]}");
    }
    try (SqliteStore store =
        SqliteStore.open(
            ServiceConfig.defaults().store(),
            folder.resolve("experience.db"),
            Clock.systemUTC(),
            new Tasks(task -> () -> {}))) {
      assertThat(store.runningPods(100))
          .extracting(p -> p.pod().uid())
          .contains("old-0")
          .doesNotContain("dead");
    }
  }
}
