package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Cards;
import dev.berth.policy.gpu.Fragmentation;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.TypicalPods;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Expected idle GPU that the usual pods cannot use, in cards: {@link Fragmentation}, with the best
 * choice of cards on every candidate. What is usual are the GPU pods that run now; says nothing
 * while none runs, where the pod has no room, and of decisions without GPUs.
 */
record GpuFragmentation() implements RewardTerm.Immediate {
  @Override
  public String name() {
    return "fragmentation";
  }

  @Override
  public double[] increase(Decision d) {
    FeatureColumn f = measure(d);
    double[] out = new double[f.before().length];
    Arrays.setAll(out, i -> f.after()[i] - f.before()[i]);
    return out;
  }

  /** F without and with the pod, in cards; NaN where not known. */
  private static FeatureColumn measure(Decision d) {
    int n = d.candidates().size();
    FeatureColumn f = new FeatureColumn(new double[n], new double[n]);
    Arrays.fill(f.before(), Double.NaN);
    Arrays.fill(f.after(), Double.NaN);
    List<PodRequests> running = new ArrayList<>();
    if (d.candidates().gpus() != null) {
      d.state().gpuPods().forEach(pod -> running.add(pod.requests()));
    }
    if (running.isEmpty()) {
      return f;
    }
    Fragmentation fragmentation = new Fragmentation(TypicalPods.of(running, 1));
    PodRequests pod = d.pod().requests();
    GpuNode[] nodes = GpuNode.of(d.candidates());
    for (int i = 0; i < n; i++) {
      if (nodes[i].misfit(pod) == Misfit.NONE) {
        f.before()[i] = fragmentation.of(nodes[i]) / GpuRequest.CARD_MILLI;
        f.after()[i] = after(fragmentation, pod, nodes[i]) / GpuRequest.CARD_MILLI;
      }
    }
    return f;
  }

  private static double after(Fragmentation fragmentation, PodRequests pod, GpuNode node) {
    long cpu = node.freeCpuMilli() - pod.cpuMilli();
    if (!pod.sharesCard()) {
      return fragmentation.of(node, Cards.whole(pod, node), pod.gpu().milli(), cpu);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int card = 0; card < node.cards(); card++) {
      if (Cards.worthTrying(pod, node, card)) {
        least = Math.min(least, fragmentation.of(node, 1 << card, pod.gpu().milli(), cpu));
      }
    }
    return least;
  }

  @Override
  public FeatureColumn featureColumn(Decision d) {
    FeatureColumn f = measure(d);
    for (int i = 0; i < f.before().length; i++) {
      if (Double.isNaN(f.before()[i])) {
        f.before()[i] = 0;
        f.after()[i] = 0;
      }
    }
    return f;
  }

  @Override
  public boolean seen() {
    return true;
  }
}
