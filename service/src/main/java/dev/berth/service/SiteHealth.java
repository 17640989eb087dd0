package dev.berth.service;

import dev.berth.service.http.Readiness;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.NodeTable.KnownNode;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the service can know of its surroundings without asking anybody: do the nodes that
 * schedulers name and those that Prometheus names meet, are there samples and labels, is there room
 * on the volume and in memory. For {@code /readyz}, its metrics and {@code berth doctor}.
 */
final class SiteHealth {
  /** Fewer nodes without a sample are in the normal coming and going of nodes. */
  private static final double TOLERATED = 0.2;

  private static final int NAMED = 3;
  private static final double LOOK_SECONDS = 10;

  /** Candidates that an hour of `make soak` was shown to hold, and the heap it had. */
  private static final int SOAKED_NODES = 5000;

  private static final double SOAKED_HEAP = 768.0 * (1 << 20);

  private final Function<Collection<String>, Map<String, Integer>> sampleStates;
  private final DoubleSupplier clock;
  private final NodeTable nodes;
  private final Path store;
  private final long storeSize;
  private final long heap;
  private @Nullable Known looked;

  /**
   * @param sampleStates how many of some nodes are in each state
   * @param clock seconds since the epoch
   * @param store its file, which need not be in the state folder
   * @param storeSize bytes that it may grow to
   * @param heap bytes that the process may use
   */
  SiteHealth(
      Function<Collection<String>, Map<String, Integer>> sampleStates,
      DoubleSupplier clock,
      NodeTable nodes,
      Path store,
      long storeSize,
      long heap) {
    this.sampleStates = sampleStates;
    this.clock = clock;
    this.nodes = nodes;
    this.store = store.toAbsolutePath();
    this.storeSize = storeSize;
    this.heap = heap;
  }

  void declare(Readiness readiness, boolean measures) {
    if (measures) {
      readiness.warning("names", this::names).warning("samples", this::samples);
    }
    readiness
        .warning("labels", this::labels)
        .warning("disk", this::disk)
        .warning("memory", this::memory);
  }

  /** Some nodes of schedulers with a zone and some without. */
  Optional<String> labels() {
    List<KnownNode> ours = nodes.all().stream().filter(KnownNode::namedByScheduler).toList();
    long bare = ours.stream().filter(node -> node.zone().isEmpty()).count();
    return bare == 0 || bare == ours.size()
        ? Optional.empty()
        : Optional.of(
            "%d of %d nodes that schedulers name have no label topology.kubernetes.io/zone: they count as one zone"
                .formatted(bare, ours.size()));
  }

  /** Nodes of a scheduler without any sample, beside samples of nodes that no scheduler names. */
  Optional<String> names() {
    return known().names();
  }

  /** Nodes of schedulers that have no usable sample. */
  Optional<String> samples() {
    return known().samples();
  }

  /** Looked at anew only after a while: it takes the scorer's lock, and probes come often. */
  private synchronized Known known() {
    double now = clock.getAsDouble();
    if (looked == null || now - looked.at() > LOOK_SECONDS) {
      looked = look(now);
    }
    return looked;
  }

  private record Known(double at, Optional<String> names, Optional<String> samples) {}

  private Known look(double now) {
    List<String> ours = named(true);
    List<String> theirs = named(false);
    Map<String, Integer> states = sampleStates.apply(ours);
    int absent = states.getOrDefault("absent", 0);
    int stale = states.getOrDefault("stale", 0);
    if (!ours.isEmpty() && !theirs.isEmpty() && absent == ours.size()) {
      return new Known(
          now,
          Optional.of(
              "schedulers name nodes %s, Prometheus names %s: they do not meet, see prometheus.nodes"
                  .formatted(some(ours), some(theirs))),
          Optional.empty());
    }
    boolean few = absent + stale > TOLERATED * ours.size();
    return new Known(
        now,
        Optional.empty(),
        few
            ? Optional.of(
                "of %d nodes that schedulers name %d have no sample and %d only one older than scoring.stale"
                    .formatted(ours.size(), absent, stale))
            : Optional.empty());
  }

  private List<String> named(boolean byScheduler) {
    return nodes.all().stream()
        .filter(n -> n.namedByScheduler() == byScheduler)
        .map(KnownNode::name)
        .toList();
  }

  private static String some(List<String> names) {
    return names.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (names.size() > NAMED ? " and %d more".formatted(names.size() - NAMED) : "");
  }

  /** Less room than the store may still take. */
  Optional<String> disk() {
    Path folder = store.resolveSibling("");
    try {
      FileStore volume = Files.getFileStore(folder);
      long free = volume.getUsableSpace();
      long more = Math.max(0, storeSize - used(folder));
      return free >= more
          ? Optional.empty()
          : Optional.of(
              "%d MiB are free in %s, and the store may grow by %d MiB (store.size)"
                  .formatted(free >> 20, folder, more >> 20));
    } catch (IOException e) {
      return Optional.of("the volume of " + folder + " cannot be looked at: " + e);
    }
  }

  /** The file, and those that SQLite keeps beside it. */
  private long used(Path folder) throws IOException {
    String name = store.getFileName().toString();
    long bytes = 0;
    try (var files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        bytes += file.getFileName().toString().startsWith(name) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  Optional<String> memory() {
    int known = nodes.names().size();
    return known <= SOAKED_NODES || heap / SOAKED_HEAP >= (double) known / SOAKED_NODES
        ? Optional.empty()
        : Optional.of(
            "%d nodes with a heap of %d MiB: 768 MiB, half of the limit of 1536Mi, were shown to hold %d"
                .formatted(known, heap >> 20, SOAKED_NODES));
  }
}
