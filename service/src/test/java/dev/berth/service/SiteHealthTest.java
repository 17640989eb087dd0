package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import dev.berth.service.scoring.NodeTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteHealthTest {
  @TempDir Path folder;
  private final NodeTable nodes = new NodeTable();
  private final Map<String, String> states = new HashMap<>();
  private double now = 1000;

  private SiteHealth health(long storeSize, long heap) {
    return health(folder.resolve("experience.db"), storeSize, heap);
  }

  private SiteHealth health(Path store, long storeSize, long heap) {
    return new SiteHealth(
        names -> {
          Map<String, Integer> counts = new HashMap<>();
          names.forEach(n -> counts.merge(states.getOrDefault(n, "absent"), 1, Integer::sum));
          return counts;
        },
        () -> now,
        nodes,
        store,
        storeSize,
        heap);
  }

  @Test
  void namesThatDoNotMeetAreShownSideBySide() {
    SiteHealth health = health(1, Long.MAX_VALUE);
    nodes.update(Given.nodes("worker-1", "worker-2", "worker-3", "worker-4"), now);
    nodes.measured("10.0.0.1", 64, 1, now);
    assertThat(health.names())
        .get()
        .asString()
        .contains("worker-1, worker-2, worker-3 and 1 more", "Prometheus names 10.0.0.1");
    assertThat(health.samples()).isEmpty(); // the same fault is told once
    states.put("worker-1", "fresh");
    now += 11;
    assertThat(health.names()).isEmpty();
  }

  @Test
  void manyNodesWithoutAUsableSampleAreAWarningAndAFewAreNot() {
    SiteHealth health = health(1, Long.MAX_VALUE);
    String[] names = IntStream.range(0, 10).mapToObj(i -> "n" + i).toArray(String[]::new);
    nodes.update(Given.nodes(names), now);
    for (String name : names) {
      states.put(name, "fresh");
    }
    states.put("n0", "absent");
    states.put("n1", "stale");
    assertThat(health.samples()).isEmpty();
    states.put("n2", "stale");
    now += 11;
    assertThat(health.samples())
        .hasValue(
            "of 10 nodes that schedulers name 1 have no sample and 2 only one older than"
                + " scoring.stale");
  }

  @Test
  void nodesWithoutAZoneBesideNodesWithOneAreAWarning() {
    SiteHealth health = health(1, Long.MAX_VALUE);
    nodes.update(Given.nodes("n0", "n1", "n2"), now);
    assertThat(health.labels()).as("a cluster without zones").isEmpty();
    Candidates zoned = Given.nodes("n0", "n1", "n2");
    zoned.zones()[0] = "zone-a";
    nodes.update(zoned, now);
    nodes.measured("machine", 64, 1, now); // no place for pods
    assertThat(health.labels()).get().asString().startsWith("2 of 3 nodes");
  }

  @Test
  void aVolumeWithLessRoomThanTheStoreMayTakeIsAWarning() throws Exception {
    Files.write(folder.resolve("experience.db"), new byte[1 << 20]);
    assertThat(health(1 << 20, 1).disk()).isEmpty();
    assertThat(health(Long.MAX_VALUE, 1).disk()).get().asString().contains("store.size");
  }

  @Test
  void aStoreThatLiesElsewhereIsLookedAtWhereItLies() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path store = Files.write(elsewhere.resolve("decisions.db"), new byte[1 << 20]);
    Files.write(elsewhere.resolve("decisions.db-wal"), new byte[1 << 20]);
    assertThat(health(store, Long.MAX_VALUE, 1).disk())
        .get()
        .asString()
        .contains("are free in " + elsewhere)
        .contains("may grow by %d MiB".formatted((Long.MAX_VALUE >> 20) - 2));
  }

  @Test
  void moreNodesThanTheHeapWasShownToHoldAreAWarning() {
    String[] names = IntStream.range(0, 6000).mapToObj(i -> "n" + i).toArray(String[]::new);
    nodes.update(Given.nodes(names), now);
    assertThat(health(1, 768L << 20).memory()).get().asString().startsWith("6000 nodes");
    assertThat(health(1, 1024L << 20).memory()).isEmpty();
  }
}
