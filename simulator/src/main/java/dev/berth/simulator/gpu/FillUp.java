package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPlacer;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.TypicalPods;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The published experiment: pods arrive one by one until demand passes capacity, nobody leaves, a
 * pod that fits nowhere fails for good. One run is a function of trace, policy, ties and seed.
 */
public final class FillUp {
  /** Named, so that a seed means the same run on every Java. */
  static final String GENERATOR = "L64X128MixRandom";

  private final GpuTrace trace;
  private final double demand;
  private final TieRule ties;
  private final Fragmentation fragmentation;

  public FillUp(GpuTrace trace, double demand, TieRule ties) {
    this.trace = trace;
    this.demand = demand;
    this.ties = ties;
    this.fragmentation =
        new Fragmentation(TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE));
  }

  /** The nodes in an order of this seed's own: the published random name prefix. */
  static GpuNode[] shuffledNodes(GpuTrace trace, RandomGenerator random) {
    List<GpuNode> nodes = new ArrayList<>();
    trace.nodes().forEach(row -> nodes.add(row.empty()));
    Arrivals.shuffle(nodes, random);
    return nodes.toArray(GpuNode[]::new);
  }

  public FillUpResult run(GpuPolicy policy, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of(GENERATOR).create(seed);
    List<PodRequests> arrivals = Arrivals.fillUp(trace, demand, random);
    GpuNode[] nodes = shuffledNodes(trace, random);
    GpuPlacer placer = new GpuPlacer(nodes, policy, ties, random);
    FillUpResult.Recorder recorder =
        new FillUpResult.Recorder(trace.name(), policy.name(), seed, demand, trace.capacityMilli());
    double[] fragments = Arrays.stream(nodes).mapToDouble(fragmentation::of).toArray();
    double fragment = Arrays.stream(fragments).sum();
    for (PodRequests pod : arrivals) {
      int row = placer.choose(pod);
      if (row >= 0) {
        placer.place(row, pod);
        double now = fragmentation.of(nodes[row]);
        fragment += now - fragments[row];
        fragments[row] = now;
        recorder.placed(pod, fragment);
      } else {
        Misfit reason = placer.misfit(pod);
        if (reason == Misfit.NONE) {
          throw new IllegalStateException(pod + " fits somewhere but was not placed");
        }
        recorder.failed(pod, reason, fragment);
      }
    }
    return recorder.result();
  }
}
