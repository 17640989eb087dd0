package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.gpu.PodShape;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Workloads like a trace but not it, made from it with a seed: to train on more than was recorded,
 * and to test on what was never seen. They are our own; the published variants are made otherwise.
 */
public final class TraceVariants {

  private TraceVariants() {}

  /** What a training sees beside the traces it is given. */
  static List<GpuTrace> forTraining(GpuTrace trace, long seed) {
    return List.of(
        scaledCpu(trace, 0.5),
        scaledCpu(trace, 1.5),
        scaledCpu(trace, 2),
        moreShared(trace, 0.6, seed),
        moreShared(trace, 0.95, seed),
        moreMulti(trace, 0.2, seed),
        moreMulti(trace, 0.5, seed),
        typed(trace, 0.1, seed),
        typed(trace, 0.3, seed));
  }

  /** Every pod asks for {@code factor} times the CPU. */
  public static GpuTrace scaledCpu(GpuTrace trace, double factor) {
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      PodShape shape = pod.shape();
      long cpu = Math.round(shape.cpuMilli() * factor);
      pods.add(with(pod, new PodShape(cpu, shape.memoryBytes(), shape.gpu())));
    }
    return named(trace, "cpu*" + factor, pods);
  }

  /** Drawn anew so that pods sharing a card make up {@code share} of the GPU demand. */
  public static GpuTrace moreShared(GpuTrace trace, double share, long seed) {
    return drawn(trace, "shared" + percent(share), PodShape::sharesCard, share, seed);
  }

  /** Drawn anew so that pods of two GPUs or more make up {@code share} of the GPU demand. */
  public static GpuTrace moreMulti(GpuTrace trace, double share, long seed) {
    return drawn(trace, "multi" + percent(share), pod -> pod.gpu().count() > 1, share, seed);
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
              new PodShape(
                  pod.shape().cpuMilli(),
                  pod.shape().memoryBytes(),
                  new GpuRequest(gpu.count(), gpu.milli(), models))));
    }
    return named(trace, "typed" + percent(share), pods);
  }

  /** One of two random halves of the pods; the other half is {@code part = 1 - part}. */
  public static GpuTrace half(GpuTrace trace, int part, long seed) {
    RandomGenerator random = random(seed);
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      if (random.nextInt(2) == part) {
        pods.add(pod);
      }
    }
    return named(trace, "half" + part, pods);
  }

  /**
   * As many pods as listed, drawn with replacement from two classes so that GPU demand splits so.
   */
  private static GpuTrace drawn(
      GpuTrace trace, String suffix, Predicate<PodShape> chosen, double share, long seed) {
    RandomGenerator random = random(seed);
    List<PodRow> in = new ArrayList<>();
    List<PodRow> out = new ArrayList<>();
    List<PodRow> pods = new ArrayList<>();
    for (PodRow pod : trace.pods()) {
      if (pod.shape().gpu().count() == 0) {
        pods.add(pod);
      } else {
        (chosen.test(pod.shape()) ? in : out).add(pod);
      }
    }
    if (in.isEmpty() || out.isEmpty()) {
      throw new IllegalArgumentException(
          "trace " + trace.name() + " cannot be drawn as " + suffix + ": a class has no pods");
    }
    double total = in.stream().mapToLong(p -> p.shape().gpu().totalMilli()).sum();
    total += out.stream().mapToLong(p -> p.shape().gpu().totalMilli()).sum();
    fill(pods, in, share * total, random);
    fill(pods, out, (1 - share) * total, random);
    return named(trace, suffix, pods);
  }

  private static void fill(
      List<PodRow> pods, List<PodRow> from, double milli, RandomGenerator random) {
    double drawn = 0;
    while (drawn < milli) {
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

  private static PodRow with(PodRow pod, PodShape shape) {
    return new PodRow(pod.name(), shape, pod.createdAt(), pod.deletedAt(), pod.scheduledAt());
  }

  private static GpuTrace named(GpuTrace trace, String suffix, List<PodRow> pods) {
    return new GpuTrace(trace.name() + "/" + suffix, trace.nodes(), pods);
  }
}
