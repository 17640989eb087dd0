package dev.berth.simulator.workload;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.workload.Arrivals.Batch;
import dev.berth.simulator.workload.WorkloadEvent.Submit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Plays a stretch of recorded arrivals. The seed draws where it begins; pods that live then come
 * over the first ten minutes, with the rest of their lives. Whole batches are left out by chance,
 * so many that the mean requested CPU is the load; pods larger than any node are left out, too.
 */
public final class RecordedArrivals {
  private static final double FILL_SECONDS = 600;
  private static final double SHORTEST_SECONDS = 30;
  private static final double MEMORY_PER_CORE = 2 * WorkloadSpec.GIB;

  private final Arrivals arrivals;
  private final long seed;
  private final double duration;
  private final Map<String, Integer> podsOf = new HashMap<>();

  /** A batch's place in the run: when it comes, and what is left of its pods' lives. */
  private record Played(int index, Batch batch, double at, List<Double> lives) {}

  public RecordedArrivals(Arrivals arrivals, long seed, double duration) {
    this.arrivals = arrivals;
    this.seed = seed;
    this.duration = duration;
  }

  /**
   * The events of a run.
   *
   * @param load share of the capacity that is to be requested, mean over the run
   * @param largestMilli CPU of the largest node
   * @param largestBytes memory of the largest node
   * @throws IllegalArgumentException when all arrivals together do not carry the load
   */
  public List<WorkloadEvent> events(
      double load, double capacityMilli, long largestMilli, long largestBytes) {
    SplittableRandom random = Draws.stream(seed, "arrivals");
    double from = begin(random);
    List<Played> all = new ArrayList<>();
    double requested = 0;
    for (int i = 0; i < arrivals.batches().size(); i++) {
      Batch batch = arrivals.batches().get(i);
      if (batch.cpuMilli() <= largestMilli && memory(batch) <= largestBytes) {
        Played played = played(i, batch, from, random);
        if (!played.lives().isEmpty()) {
          all.add(played);
          requested += use(played);
        }
      }
    }
    double keep = load * capacityMilli * duration / requested;
    if (keep > 1) {
      throw new IllegalArgumentException(
          "%s: all that arrives asks for %.1f %% of the nodes, below the load of %.0f %%: use fewer or smaller nodes"
              .formatted(arrivals.name(), 100 * requested / capacityMilli / duration, 100 * load));
    }
    return all.stream()
        .filter(p -> Draws.uniform(Draws.hash(seed, "kept/" + p.index())) < keep)
        .sorted((a, b) -> Double.compare(a.at(), b.at()))
        .map(this::submit)
        .toList();
  }

  private double begin(SplittableRandom random) {
    double room = arrivals.spanSeconds() - duration;
    if (room < 0) {
      throw new IllegalArgumentException(
          "%s: the arrivals span %.1f h, the run %.1f h: set duration to less"
              .formatted(arrivals.name(), arrivals.spanSeconds() / 3600, duration / 3600));
    }
    return arrivals.batches().get(0).at() + room * random.nextDouble();
  }

  private Played played(int index, Batch batch, double from, SplittableRandom random) {
    double early = Math.max(0, from - batch.at());
    double at = early > 0 ? FILL_SECONDS * random.nextDouble() : batch.at() - from;
    List<Double> lives = new ArrayList<>();
    for (float life : batch.lives()) {
      double left = life - early;
      if (left > 0 && at < duration) {
        lives.add(Math.max(SHORTEST_SECONDS, left));
      }
    }
    return new Played(index, batch, at, lives);
  }

  /** Milli-core seconds that it asks for within the run. */
  private double use(Played played) {
    double seconds = 0;
    for (double life : played.lives()) {
      seconds += Math.min(life, duration - played.at());
    }
    return seconds * played.batch().cpuMilli();
  }

  private static long memory(Batch batch) {
    return batch.memoryBytes() > 0
        ? batch.memoryBytes()
        : Math.round(batch.cpuMilli() / 1000.0 * MEMORY_PER_CORE);
  }

  private WorkloadEvent submit(Played played) {
    Batch batch = played.batch();
    String owner = "default/Deployment/" + batch.owner();
    List<PodSpec> pods = new ArrayList<>();
    for (double life : played.lives()) {
      int ordinal = podsOf.merge(owner, 1, Integer::sum) - 1;
      String uid = UsageModel.podKey(owner, ordinal);
      Pod pod = Pod.of(uid, owner, batch.cpuMilli(), memory(batch));
      pods.add(new PodSpec(pod, 0, Map.of(), Set.of(), life));
    }
    return new Submit(played.at(), pods);
  }
}
