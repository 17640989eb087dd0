package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Workloads like a trace but not it, made from it with a seed: to train on more than was recorded,
 * and to test on what was never seen. They are our own; the published variants are made otherwise.
 */
public final class TraceVariants {

  private static final long SEED = 2026;

  private TraceVariants() {}

  /**
   * Workloads to judge a model on. Those at the end are of kinds that {@link #random} never draws.
   */
  public static List<GpuTrace> forJudging(GpuTrace trace) {
    List<GpuTrace> variants = new ArrayList<>();
    for (double shared : new double[] {0.2, 0.4, 0.6, 0.8, 1}) {
      variants.add(mixed(trace, shared, 0.07 * (1 - shared), SEED));
    }
    for (double multi : new double[] {0.2, 0.35, 0.5}) {
      variants.add(mixed(trace, 0.3 * (1 - multi), multi, SEED));
    }
    for (double share : new double[] {0.1, 0.2, 0.4}) {
      variants.add(typed(trace, share, SEED));
    }
    variants.add(scaledCpu(trace, 0.6));
    variants.add(scaledCpu(trace, 1.6));
    for (double factor : new double[] {0.4, 1.5, 3}) {
      variants.add(cpuOnly(trace, factor, SEED));
    }
    variants.add(scaledMemory(trace, 0.5));
    variants.add(scaledMemory(trace, 1.5));
    variants.add(halfTheNodes(trace, SEED));
    variants.add(aged(trace, false));
    variants.add(aged(trace, true));
    return variants;
  }

  /**
   * Domain randomisation: one workload drawn at random around the given ones. Each draw starts from
   * one of them and may ask for other CPU, split its GPU demand otherwise between shared, single
   * and multi-GPU pods, and insist on models.
   */
  static GpuTrace random(List<GpuTrace> traces, long seed) {
    RandomGenerator random = random(seed);
    GpuTrace trace = traces.get(random.nextInt(traces.size()));
    if (random.nextInt(3) > 0) {
      double multi = random.nextInt(3) == 0 ? 0.02 : 0.6 * random.nextDouble();
      double shared = (1 - multi) * random.nextDouble();
      trace = mixed(trace, shared, multi, random.nextLong());
    }
    if (random.nextBoolean()) {
      trace = scaledCpu(trace, Math.pow(2, 2 * random.nextDouble() - 1));
    }
    if (random.nextBoolean()) {
      trace = typed(trace, 0.4 * random.nextDouble(), random.nextLong());
    }
    return trace;
  }

  /** Every pod asks for {@code factor} times the CPU. */
  public static GpuTrace scaledCpu(GpuTrace trace, double factor) {
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      PodRequests shape = pod.shape();
      long cpu = Math.round(shape.cpuMilli() * factor);
      pods.add(with(pod, new PodRequests(cpu, shape.memoryBytes(), shape.gpu())));
    }
    return named(trace, "cpu*%.2f".formatted(factor), pods);
  }

  /** Every pod asks for {@code factor} times the memory. */
  public static GpuTrace scaledMemory(GpuTrace trace, double factor) {
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      PodRequests shape = pod.shape();
      long memory = Math.round(shape.memoryBytes() * factor);
      pods.add(with(pod, new PodRequests(shape.cpuMilli(), memory, shape.gpu())));
    }
    return named(trace, "memory*%.2f".formatted(factor), pods);
  }

  /** The same pods on a random half of the nodes. */
  public static GpuTrace halfTheNodes(GpuTrace trace, long seed) {
    List<NodeRow> nodes = new ArrayList<>(trace.nodes());
    Arrivals.shuffle(nodes, random(seed));
    return new GpuTrace(
        trace.name() + "/half-the-nodes", nodes.subList(0, (nodes.size() + 1) / 2), trace.pods());
  }

  /** The earlier or the later half of the pods; the list is in order of creation. */
  public static GpuTrace aged(GpuTrace trace, boolean late) {
    int middle = trace.pods().size() / 2;
    int end = trace.pods().size();
    return named(
        trace,
        late ? "late" : "early",
        late ? trace.pods().subList(middle, end) : trace.pods().subList(0, middle));
  }

  /** So many times the pods that ask for no GPU, drawn with replacement. */
  public static GpuTrace cpuOnly(GpuTrace trace, double factor, long seed) {
    RandomGenerator random = random(seed);
    List<PodRow> without = new ArrayList<>();
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      (pod.shape().gpu().count() == 0 ? without : pods).add(pod);
    }
    for (long n = Math.round(factor * without.size()); n > 0; n--) {
      pods.add(without.get(random.nextInt(without.size())));
    }
    return named(trace, "cpu-only*%.2f".formatted(factor), pods);
  }

  /**
   * GPU pods drawn anew so that those sharing a card make up {@code shared} of the GPU demand,
   * those of two GPUs or more {@code multi}, and those of one whole GPU the rest.
   */
  public static GpuTrace mixed(GpuTrace trace, double shared, double multi, long seed) {
    RandomGenerator random = random(seed);
    List<PodRow> pods = new ArrayList<>();
    List<List<PodRow>> classes = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    double total = 0;
    for (PodRow pod : trace.pods()) {
      GpuRequest gpu = pod.shape().gpu();
      if (gpu.count() == 0) {
        pods.add(pod);
      } else {
        classes.get(pod.shape().sharesCard() ? 0 : gpu.count() > 1 ? 1 : 2).add(pod);
        total += gpu.totalMilli();
      }
    }
    double[] shares = {shared, multi, 1 - shared - multi};
    for (int i = 0; i < shares.length; i++) {
      fill(pods, classes.get(i), shares[i] * total, random);
    }
    return named(trace, "shared%s-multi%s".formatted(percent(shared), percent(multi)), pods);
  }

  /**
   * {@code share} of the GPU pods insist on one or two card models, drawn by their number of cards.
   */
  public static GpuTrace typed(GpuTrace trace, double share, long seed) {
    RandomGenerator random = random(seed);
    Map<String, Integer> cards = new TreeMap<>();
    trace.nodes().stream()
        .filter(node -> node.cards() > 0)
        .forEach(node -> cards.merge(node.model(), node.cards(), Integer::sum));
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      GpuRequest gpu = pod.shape().gpu();
      if (gpu.count() == 0 || random.nextDouble() >= share) {
        pods.add(pod);
        continue;
      }
      List<String> models = new ArrayList<>();
      models.add(draw(cards, gpu, trace, random));
      if (random.nextBoolean()) {
        String second = draw(cards, gpu, trace, random);
        if (!models.contains(second)) {
          models.add(second);
        }
      }
      pods.add(
          with(
              pod,
              new PodRequests(
                  pod.shape().cpuMilli(),
                  pod.shape().memoryBytes(),
                  new GpuRequest(gpu.count(), gpu.milli(), models))));
    }
    return named(trace, "typed" + percent(share), pods);
  }

  /** One of two random halves of the pods; the other half is {@code part = 1 - part}. */
  public static GpuTrace half(GpuTrace trace, int part) {
    RandomGenerator random = random(SEED);
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      if (random.nextInt(2) == part) {
        pods.add(pod);
      }
    }
    return named(trace, "half" + part, pods);
  }

  private static void fill(
      List<PodRow> pods, List<PodRow> from, double milli, RandomGenerator random) {
    double drawn = 0;
    while (drawn < milli && !from.isEmpty()) {
      PodRow pod = from.get(random.nextInt(from.size()));
      drawn += pod.shape().gpu().totalMilli();
      pods.add(pod);
    }
  }

  /** A model with enough cards on one node for the request. */
  private static String draw(
      Map<String, Integer> cards, GpuRequest gpu, GpuTrace trace, RandomGenerator random) {
    int total = cards.values().stream().mapToInt(Integer::intValue).sum();
    while (true) {
      int at = random.nextInt(total);
      for (Map.Entry<String, Integer> entry : cards.entrySet()) {
        at -= entry.getValue();
        if (at < 0) {
          String model = entry.getKey();
          if (trace.nodes().stream()
              .anyMatch(node -> node.model().equals(model) && node.cards() >= gpu.count())) {
            return model;
          }
          break;
        }
      }
    }
  }

  private static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of(FillUp.GENERATOR).create(seed);
  }

  private static String percent(double share) {
    return String.valueOf(Math.round(share * 100));
  }

  private static PodRow with(PodRow pod, PodRequests shape) {
    return new PodRow(pod.name(), shape, pod.createdAt(), pod.deletedAt(), pod.scheduledAt());
  }

  private static GpuTrace named(GpuTrace trace, String suffix, List<PodRow> pods) {
    return new GpuTrace(trace.name() + "/" + suffix, trace.nodes(), pods);
  }
}
