package dev.berth.service.scoring;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.state.ClusterState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as schedulers last described them: the candidates of a question that no scheduler asks
 * ({@code GET /v1/what-if}), and the names of the page. What is believed of them stands in {@link
 * ClusterState} alone; a node that neither a scheduler nor its metrics have named is forgotten
 * after the same time as there. Thread-safe; readers see each node whole.
 */
public final class NodeTable {

  /**
   * One node as a scheduler last described it, or as its metrics do.
   *
   * @param gpuModel card model, empty until a pod that asks for cards was asked about
   * @param gpuCards how many cards, 0 until then
   * @param gpuFreeMilli thousandths of each card that were free as of then, {@code [gpuCards]}
   * @param heardAt when either last named it, epoch seconds
   */
  public record KnownNode(
      String name,
      long cpuMilli,
      long memoryBytes,
      int podLimit,
      long cpuRequestedMilli,
      long memoryRequestedBytes,
      int podCount,
      String zone,
      String rack,
      String gpuModel,
      int gpuCards,
      int[] gpuFreeMilli,
      boolean namedByScheduler,
      double heardAt) {

    /** As {@link Candidates#cpuRequestedMilli} has it. */
    public long requestedMilli() {
      return namedByScheduler ? cpuRequestedMilli : Candidates.NOT_TOLD;
    }

    KnownNode heard(double at) {
      return new KnownNode(
          name,
          cpuMilli,
          memoryBytes,
          podLimit,
          cpuRequestedMilli,
          memoryRequestedBytes,
          podCount,
          zone,
          rack,
          gpuModel,
          gpuCards,
          gpuFreeMilli,
          namedByScheduler,
          Math.max(heardAt, at));
    }

    /** Whether candidate {@code i} of a request that tells nothing of cards is described alike. */
    private boolean describes(Candidates c, int i) {
      return namedByScheduler
          && cpuMilli == c.cpuMilli()[i]
          && memoryBytes == c.memoryBytes()[i]
          && podLimit == c.podLimit()[i]
          && cpuRequestedMilli == c.cpuRequestedMilli()[i]
          && memoryRequestedBytes == c.memoryRequestedBytes()[i]
          && podCount == c.podCount()[i]
          && zone.equals(c.zones()[i])
          && rack.equals(c.racks()[i]);
    }
  }

  /** Kubernetes' default, used for nodes that only metrics have named. */
  private static final int DEFAULT_POD_LIMIT = 110;

  private static final int[] NO_CARDS = {};
  private static final double CHECK_SECONDS = 60;

  /**
   * How often it is written down that a node is still there. A decision changes one node of
   * thousands.
   */
  private static final double HEARD_SECONDS = 10;

  private final ConcurrentHashMap<String, KnownNode> nodes = new ConcurrentHashMap<>();
  private volatile double checkedAt = Double.NEGATIVE_INFINITY;

  // The last question, and when all of its nodes were last looked up.
  private @Nullable Candidates last;
  private double lookedUpAt = Double.NEGATIVE_INFINITY;

  /**
   * Takes over what a scheduler's request says, at a time in epoch seconds. What says the same of a
   * node as the request before is not looked up: of thousands a decision changes one.
   */
  public synchronized void update(Candidates c, double now) {
    GpuColumns gpus = c.gpus();
    Candidates before =
        gpus == null
                && now < lookedUpAt + HEARD_SECONDS
                && last != null
                && last.names() == c.names()
            ? last
            : null;
    if (before == null) {
      lookedUpAt = now;
    }
    last = gpus == null ? c : null;
    for (int i = 0; i < c.size(); i++) {
      if (before != null && alike(before, c, i)) {
        continue;
      }
      // Only requests about cards tell of them: otherwise what is known stays.
      KnownNode old = gpus == null ? nodes.get(c.names()[i]) : null;
      if (old != null && now < old.heardAt() + HEARD_SECONDS && old.describes(c, i)) {
        continue;
      }
      if (!room(c.names()[i])) {
        continue;
      }
      nodes.put(
          c.names()[i],
          new KnownNode(
              c.names()[i],
              c.cpuMilli()[i],
              c.memoryBytes()[i],
              c.podLimit()[i],
              c.cpuRequestedMilli()[i],
              c.memoryRequestedBytes()[i],
              c.podCount()[i],
              c.zones()[i],
              c.racks()[i],
              gpus != null ? gpus.models()[i] : old == null ? "" : old.gpuModel(),
              gpus != null ? gpus.freeMilli()[i].length : old == null ? 0 : old.gpuCards(),
              gpus != null ? gpus.freeMilli()[i] : old == null ? NO_CARDS : old.gpuFreeMilli(),
              true,
              now));
    }
    forget(now);
  }

  private boolean room(String name) {
    return nodes.size() < ClusterState.NODES_ADMITTED || nodes.containsKey(name);
  }

  private static boolean alike(Candidates a, Candidates b, int i) {
    return a.cpuRequestedMilli()[i] == b.cpuRequestedMilli()[i]
        && a.memoryRequestedBytes()[i] == b.memoryRequestedBytes()[i]
        && a.podCount()[i] == b.podCount()[i]
        && a.cpuMilli()[i] == b.cpuMilli()[i]
        && a.memoryBytes()[i] == b.memoryBytes()[i]
        && a.podLimit()[i] == b.podLimit()[i]
        && a.zones()[i].equals(b.zones()[i])
        && a.racks()[i].equals(b.racks()[i]);
  }

  /** Nodes that have cards, as they are when empty. */
  public List<GpuNode> gpuNodes() {
    return all().stream()
        .filter(n -> n.gpuCards() > 0)
        .map(n -> new GpuNode(n.name(), n.gpuModel(), n.gpuCards(), n.cpuMilli(), n.memoryBytes()))
        .toList();
  }

  /**
   * A node that metrics describe; a scheduler's own word on it is never replaced.
   *
   * @param now of the sample, epoch seconds
   */
  public void measured(String name, double cores, double memoryBytes, double now) {
    if (!room(name)) {
      forget(now);
      return;
    }
    nodes.compute(
        name,
        (key, old) ->
            old != null && old.namedByScheduler()
                ? old.heard(now)
                : new KnownNode(
                    name,
                    Double.isFinite(cores) ? Math.round(cores * 1000) : 0,
                    Double.isFinite(memoryBytes) ? Math.round(memoryBytes) : 0,
                    DEFAULT_POD_LIMIT,
                    0,
                    0,
                    0,
                    "",
                    "",
                    "",
                    0,
                    NO_CARDS,
                    false,
                    now));
    forget(now);
  }

  /**
   * The one instance of a node's name that many records share; {@code name} where none is known.
   */
  public String shared(String name) {
    KnownNode known = nodes.get(name);
    return known == null ? name : known.name();
  }

  private void forget(double now) {
    if (now > checkedAt + CHECK_SECONDS) {
      checkedAt = now;
      double age =
          nodes.size() > ClusterState.MOST_NODES ? CHECK_SECONDS : ClusterState.NODE_IDLE_FOR;
      nodes.values().removeIf(node -> node.heardAt() < now - age);
    }
  }

  public SortedSet<String> names() {
    return new TreeSet<>(nodes.keySet());
  }

  /** All of them, by name. */
  public List<KnownNode> all() {
    List<KnownNode> all = new ArrayList<>(nodes.values());
    all.sort(Comparator.comparing(KnownNode::name));
    return all;
  }

  /** The first nodes after a name, by name; from the first one after {@code ""}. */
  public List<KnownNode> page(String after, int most) {
    return nodes.values().stream()
        .filter(node -> node.name().compareTo(after) > 0)
        .sorted(Comparator.comparing(KnownNode::name))
        .limit(most)
        .toList();
  }

  /**
   * The nodes a pod may be placed on, by name; nothing is pending. Those that a scheduler has
   * named, or until one has asked, those that Prometheus has measured.
   */
  public Candidates candidates() {
    List<KnownNode> all = all();
    // Once a scheduler has spoken, machines that only metrics know are not places for pods.
    if (all.stream().anyMatch(KnownNode::namedByScheduler)) {
      all.removeIf(n -> !n.namedByScheduler());
    }
    // Nothing can be said of a place whose size nobody knows.
    all.removeIf(node -> node.cpuMilli() <= 0);
    int n = all.size();
    return new Candidates(
        all.stream().map(KnownNode::name).toArray(String[]::new),
        all.stream().mapToLong(KnownNode::cpuMilli).toArray(),
        all.stream().mapToLong(KnownNode::memoryBytes).toArray(),
        all.stream().mapToInt(KnownNode::podLimit).toArray(),
        all.stream().mapToLong(KnownNode::requestedMilli).toArray(),
        all.stream().mapToLong(KnownNode::memoryRequestedBytes).toArray(),
        all.stream().mapToInt(KnownNode::podCount).toArray(),
        new long[n],
        new long[n],
        new int[n],
        all.stream().map(KnownNode::zone).toArray(String[]::new),
        all.stream().map(KnownNode::rack).toArray(String[]::new),
        null);
  }
}
