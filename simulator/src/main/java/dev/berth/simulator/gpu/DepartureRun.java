package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPlacer;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.TieRule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A cluster under sustained load: pods drawn from the trace arrive as a Poisson stream, live their
 * compressed lifetime once placed, and wait while nothing has room. When a pod leaves, waiting pods
 * are tried by age of their shape, each as often as it fits, as a scheduler's retry does.
 */
public final class DepartureRun {
  private final GpuTrace trace;
  private final Settings settings;

  /**
   * What kind of load.
   *
   * @param load offered GPU time over capacity; from about 0.95 on pods have to wait
   * @param maxLifetimeSeconds cap of lifetimes
   * @param hours simulated time
   * @param warmupShare first part of the run that is not measured, 0..1
   */
  public record Settings(double load, double maxLifetimeSeconds, double hours, double warmupShare) {

    public Settings {
      if (!(load > 0 && maxLifetimeSeconds > 0 && hours > 0)
          || !(warmupShare >= 0 && warmupShare < 1)) {
        throw new IllegalArgumentException(
            "load, lifetime and hours must be positive and the warm-up below 1, got %s, %s, %s, %s"
                .formatted(load, maxLifetimeSeconds, hours, warmupShare));
      }
    }
  }

  /**
   * Time averages after the warm-up.
   *
   * @param allocationPct allocated share of GPU capacity
   * @param waitingPods pods waiting
   * @param waitingGpus GPUs they ask for
   * @param meanWaitSeconds mean wait of the pods placed
   */
  public record Result(
      String policy,
      long seed,
      double allocationPct,
      double waitingPods,
      double waitingGpus,
      double meanWaitSeconds,
      int arrived,
      double seconds) {}

  private record Departure(double at, int row, PodRequests pod, int cards) {}

  private record Waiting(double since, double lifetime) {}

  /** Sees every change of a node; for labels. */
  @FunctionalInterface
  interface Listener {
    void changed(double at, int row, GpuNode node, boolean placed);
  }

  public DepartureRun(GpuTrace trace, Settings settings) {
    this.trace = trace;
    this.settings = settings;
  }

  public Result run(GpuPolicy policy, TieRule ties, long seed) {
    return new Run(policy, ties, seed, (at, row, node, placed) -> {}).run();
  }

  Result run(GpuPolicy policy, TieRule ties, long seed, Listener listener) {
    return new Run(policy, ties, seed, listener).run();
  }

  private final class Run {
    private final long start = System.nanoTime();
    private final RandomGenerator random;
    private final Lifetimes lifetimes;
    private final GpuPlacer placer;
    private final GpuPolicy policy;
    private final long seed;
    private final Listener listener;
    private final PriorityQueue<Departure> departures =
        new PriorityQueue<>((a, b) -> Double.compare(a.at, b.at));
    private final Map<PodRequests, Deque<Waiting>> waiting = new LinkedHashMap<>();
    private final double end = settings.hours * 3600;
    private final double warmup = settings.warmupShare * end;
    private double now;
    private long allocatedMilli;
    private int waitingPods;
    private long waitingMilli;
    private double allocationTime;
    private double waitingTime;
    private double waitingGpuTime;
    private double waits;
    private int placed;
    private int arrived;

    Run(GpuPolicy policy, TieRule ties, long seed, Listener listener) {
      this.random = RandomGeneratorFactory.of(FillUp.GENERATOR).create(seed);
      this.lifetimes = new Lifetimes(trace, settings.maxLifetimeSeconds, random);
      // Ties draw from a stream of their own: every policy sees the same arrivals.
      RandomGenerator tieBreak = RandomGeneratorFactory.of(FillUp.GENERATOR).create(~seed);
      this.placer = new GpuPlacer(FillUp.shuffledNodes(trace, random), policy, ties, tieBreak);
      this.policy = policy;
      this.seed = seed;
      this.listener = listener;
    }

    Result run() {
      double rate = settings.load * trace.capacityMilli() / 1000.0 / lifetimes.meanGpuSeconds();
      double next = random.nextExponential() / rate;
      while (next < end) {
        while (!departures.isEmpty() && departures.element().at <= next) {
          depart(departures.remove());
        }
        advance(next);
        int pod = random.nextInt(lifetimes.size());
        arrived++;
        arrive(lifetimes.shape(pod), lifetimes.seconds(pod));
        next = now + random.nextExponential() / rate;
      }
      advance(end);
      double measured = end - warmup;
      return new Result(
          policy.name(),
          seed,
          100 * allocationTime / measured / trace.capacityMilli(),
          waitingTime / measured,
          waitingGpuTime / measured / 1000,
          placed == 0 ? 0 : waits / placed,
          arrived,
          (System.nanoTime() - start) / 1e9);
    }

    private void advance(double to) {
      double span = Math.max(0, to - Math.max(now, warmup));
      allocationTime += span * allocatedMilli;
      waitingTime += span * waitingPods;
      waitingGpuTime += span * waitingMilli;
      now = to;
    }

    private void arrive(PodRequests pod, double lifetime) {
      if (!waiting.containsKey(pod)) {
        int row = placer.choose(pod);
        if (row >= 0) {
          place(row, pod, new Waiting(now, lifetime));
          return;
        }
      }
      waiting.computeIfAbsent(pod, shape -> new ArrayDeque<>()).add(new Waiting(now, lifetime));
      waitingPods++;
      waitingMilli += pod.gpu().totalMilli();
    }

    private void place(int row, PodRequests pod, Waiting since) {
      int cards = placer.place(row, pod);
      allocatedMilli += pod.gpu().totalMilli();
      departures.add(new Departure(now + since.lifetime, row, pod, cards));
      if (now >= warmup) {
        waits += now - since.since;
        placed++;
      }
      listener.changed(now, row, placer.node(row), true);
    }

    private void depart(Departure gone) {
      advance(gone.at);
      placer.remove(gone.row, gone.pod, gone.cards);
      allocatedMilli -= gone.pod.gpu().totalMilli();
      listener.changed(now, gone.row, placer.node(gone.row), false);
      // Nothing waiting fitted before, so what fits now fits on this node.
      GpuNode node = placer.node(gone.row);
      waiting
          .entrySet()
          .removeIf(
              entry -> {
                PodRequests pod = entry.getKey();
                while (!entry.getValue().isEmpty() && node.misfit(pod) == Misfit.NONE) {
                  place(gone.row, pod, entry.getValue().remove());
                  waitingPods--;
                  waitingMilli -= pod.gpu().totalMilli();
                }
                return entry.getValue().isEmpty();
              });
    }
  }
}
