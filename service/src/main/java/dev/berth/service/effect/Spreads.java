package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.ledger.PodState;
import dev.berth.service.effect.Effect.Spread;
import dev.berth.service.effect.Moves.Move;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.SharedState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Spread of expected CPU over the nodes with and without moves. Thread-safe. */
final class Spreads {
  /** Nodes, or owners, under one hold of the scorer's lock: a few hundred microseconds. */
  private static final int CHUNK = 250;

  private static final double[] NOW = {0};
  private static final double KEPT_SECONDS = 5;

  private final SharedState shared;
  private final NodeTable nodes;
  private @Nullable Spread kept;
  private double keptSince = Double.NEGATIVE_INFINITY;

  private record Loads(double[] cores, long[] power) {}

  Spreads(SharedState shared, NodeTable nodes) {
    this.shared = shared;
    this.nodes = nodes;
  }

  synchronized @Nullable Spread of(List<Move> moves) {
    double now = shared.now();
    if (now < keptSince || now >= keptSince + KEPT_SECONDS) {
      keptSince = now;
      kept = reckon(nodes.candidates(), more(moves));
    }
    return kept;
  }

  private @Nullable Spread reckon(Candidates all, Map<String, Double> more) {
    int n = all.size();
    if (n < 2) {
      return null;
    }
    double[] with = new double[n];
    double[] without = new double[n];
    for (int from = 0; from < n; from += CHUNK) {
      Candidates some = all.only(IntStream.range(from, Math.min(n, from + CHUNK)).toArray());
      Loads loads =
          shared.read(
              state -> new Loads(state.expectedCpu(some, shared.now(), NOW)[0], state.power(some)));
      for (int k = 0; k < some.size(); k++) {
        double cores = some.cpuMilli()[k] / 1000.0;
        double slowness = (double) some.cpuMilli()[k] / loads.power()[k];
        double otherwise = slowness * more.getOrDefault(some.names()[k], 0.0);
        with[from + k] = loads.cores()[k] / cores;
        without[from + k] = Math.max(0, loads.cores()[k] + otherwise) / cores;
      }
    }
    return new Spread(deviation(with), deviation(without));
  }

  /** Cores that nodes would use more without Berth, as on nodes of average speed. */
  private Map<String, Double> more(List<Move> moves) {
    Map<String, Double> ratios = ratios(moves);
    Map<String, Double> more = new HashMap<>();
    for (Move move : moves) {
      double cores = PodState.cores(move.pod()) * ratios.getOrDefault(move.pod().owner(), 0.0);
      more.merge(move.without(), cores, Double::sum);
      more.merge(move.actual(), -cores, Double::sum);
    }
    return more;
  }

  private Map<String, Double> ratios(List<Move> moves) {
    List<String> owners = moves.stream().map(m -> m.pod().owner()).distinct().toList();
    Map<String, Double> ratios = new HashMap<>();
    for (int from = 0; from < owners.size(); from += CHUNK) {
      List<String> some = owners.subList(from, Math.min(owners.size(), from + CHUNK));
      ratios.putAll(
          shared.read(state -> some.stream().collect(Collectors.toMap(o -> o, state::ownerRatio))));
    }
    return ratios;
  }

  private static double deviation(double[] shares) {
    double mean = DoubleStream.of(shares).average().orElse(0);
    return Math.sqrt(DoubleStream.of(shares).map(s -> (s - mean) * (s - mean)).average().orElse(0));
  }
}
