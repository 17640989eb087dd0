package dev.berth.simulator.usage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history that one run plays. The seed draws its beginning, the order of owners and
 * who of an owner's pods comes first; all pods play the same stretch of time, so what owners have
 * in common stays.
 *
 * <p>Thread rule: one thread.
 */
public final class RecordedWorld {
  /** Requests are whole multiples of these, as people write them. */
  private static final double CPU_GRAIN = 0.01;

  private static final double MEMORY_GRAIN = 1 << 20;

  private final long seed;
  private final Recorded recorded;
  private final double from;
  private final List<String> names;
  private final Map<String, Owner> owners = new HashMap<>();

  /**
   * One recorded pod.
   *
   * @param cpuMilli what it asks for
   * @param memoryBytes the same; 0 where the source has no memory, or less than 1 MiB of it
   * @param cpu its usage / request
   * @param memory the same; null where the source has none
   */
  public record Pod(long cpuMilli, long memoryBytes, Load cpu, @Nullable Load memory) {}

  /** Pods of an owner in drawn order, and its usage / request as a whole. */
  private record Owner(List<Pod> pods, boolean aggregate, Load load) {}

  RecordedWorld(long seed, UsageParameters parameters, Recorded recorded) {
    this.seed = seed;
    this.recorded = recorded;
    SplittableRandom random = Draws.stream(seed, "history");
    this.from = begin(random);
    Map<String, List<Series>> byOwner = new TreeMap<>();
    for (Series s : recorded.history().series()) {
      if (s.from() <= from && s.to() >= from + recorded.spanSeconds()) {
        byOwner.computeIfAbsent(s.owner(), o -> new ArrayList<>()).add(s);
      }
    }
    byOwner.forEach(
        (name, series) -> {
          OwnerProfile drawn = OwnerProfile.draw(seed, name, parameters);
          owners.put(name, owner(shuffled(series, random), drawn));
        });
    this.names = shuffled(byOwner.keySet(), random);
  }

  private static <T> List<T> shuffled(Iterable<T> items, SplittableRandom random) {
    List<T> out = new ArrayList<>();
    items.forEach(out::add);
    for (int i = out.size() - 1; i > 0; i--) {
      Collections.swap(out, i, random.nextInt(i + 1));
    }
    return out;
  }

  /**
   * Draws where to begin, among the steps at which half as many series as ever go on to the end.
   */
  private double begin(SplittableRandom random) {
    double step = recorded.history().stepSeconds();
    TreeMap<Double, Integer> changes = new TreeMap<>();
    double longest = 0;
    for (Series s : recorded.history().series()) {
      double last = s.to() - recorded.spanSeconds();
      longest = Math.max(longest, s.to() - s.from());
      if (last >= s.from()) {
        changes.merge(s.from(), 1, Integer::sum);
        changes.merge(last + step, -1, Integer::sum);
      }
    }
    if (changes.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no series is as long as the run: %.1f h are to be played, the longest has %.1f h; set duration to less"
              .formatted(recorded.history().name(), recorded.spanSeconds() / 3600, longest / 3600));
    }
    int most = 0;
    int open = 0;
    for (int change : changes.values()) {
      open += change;
      most = Math.max(most, open);
    }
    List<Double> candidates = new ArrayList<>();
    open = 0;
    for (Map.Entry<Double, Integer> change : changes.entrySet()) {
      open += change.getValue();
      Double end = changes.higherKey(change.getKey());
      for (double t = change.getKey(); 2 * open >= most && end != null && t < end; t += step) {
        candidates.add(t);
      }
    }
    return candidates.get(random.nextInt(candidates.size()));
  }

  private Owner owner(List<Series> series, OwnerProfile drawn) {
    List<float[]> cores = series.stream().map(Series::cores).toList();
    List<float[]> bytes = series.stream().map(Series::bytes).toList();
    double[] cpu = recorded.rule().requests(cores, drawn.cpuRatio());
    double[] memories =
        bytes.stream().allMatch(b -> b.length > 0)
            ? recorded.rule().requests(bytes, drawn.memoryRatio())
            : new double[cpu.length];
    List<Pod> pods = new ArrayList<>();
    for (int i = 0; i < cpu.length; i++) {
      Series s = series.get(i);
      double request = grained(cpu[i], CPU_GRAIN);
      double room = memories[i];
      boolean memory = room >= MEMORY_GRAIN; // less is a recorder that knew nothing of memory
      room = memory ? grained(room, MEMORY_GRAIN) : 0;
      pods.add(
          new Pod(
              Math.round(request * 1000),
              Math.round(room),
              load(s.cores(), request, s),
              memory ? load(s.bytes(), room, s) : null));
    }
    return new Owner(List.copyOf(pods), series.get(0).aggregate(), whole(series, pods));
  }

  private static double grained(double wanted, double grain) {
    return grain * Math.max(1, Math.ceil(wanted / grain - 1e-4));
  }

  private Load load(float[] values, double unit, Series s) {
    return new SampledLoad(values, unit, s.stepSeconds(), from - s.from(), recorded.spanSeconds());
  }

  /** Usage / request of all pods of an owner together, over the stretch that is played. */
  private Load whole(List<Series> series, List<Pod> pods) {
    double step = recorded.history().stepSeconds();
    float[] sum = new float[(int) Math.round(recorded.spanSeconds() / step)];
    for (Series s : series) {
      int first = (int) Math.round((from - s.from()) / step);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += s.cores()[Math.min(first + i, s.cores().length - 1)];
      }
    }
    double requested = pods.stream().mapToLong(Pod::cpuMilli).sum() / 1000.0;
    return new SampledLoad(sum, requested, step, 0, recorded.spanSeconds());
  }

  /** Second of the history at which a run begins. */
  public double beginsAt() {
    return from;
  }

  /** Recorded owners by their natural key, in drawn order. */
  public List<String> owners() {
    return Collections.unmodifiableList(names);
  }

  /** How many pods of an owner can live at once without doing the same; without end if they do. */
  public int pods(String owner) {
    Owner known = of(owner);
    return known.aggregate() ? Integer.MAX_VALUE : known.pods().size();
  }

  /** The owner's pod of this ordinal; they come round. */
  public Pod pod(String owner, int ordinal) {
    List<Pod> pods = of(owner).pods();
    return pods.get(Math.floorMod(ordinal, pods.size()));
  }

  Load load(String owner) {
    return of(owner).load();
  }

  /**
   * By the end of the owner's key; who is not recorded, such as the Deployments of a real cluster,
   * is given a recorded owner by seed and key.
   */
  private Owner of(String key) {
    Owner known = owners.get(key.substring(key.lastIndexOf('/') + 1));
    if (known == null) {
      long hash = Draws.hash(seed, "played by/" + key);
      known = owners.get(names.get((int) Long.remainderUnsigned(hash, names.size())));
    }
    if (known == null) {
      throw new IllegalStateException("no recorded owner for " + key);
    }
    return known;
  }
}
