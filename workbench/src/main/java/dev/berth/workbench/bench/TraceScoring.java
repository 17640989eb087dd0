package dev.berth.workbench.bench;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.Misfit;
import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places pods of a trace, one after another, where a running service scores best: the service sees
 * the nodes that have room, as a scheduler would show them, the pods placed before included. Among
 * equal scores the first in the list wins. One thread.
 */
public final class TraceScoring {
  private final ScoreClient client;
  private final List<GpuNode> nodes;

  /** All nodes are empty at first. */
  public TraceScoring(ScoreClient client, List<NodeRow> nodes) {
    this.client = client;
    this.nodes = nodes.stream().map(NodeRow::empty).toList();
  }

  /**
   * What became of a pod.
   *
   * @param candidates how many nodes had room
   * @param misfit what was missing where the pod came furthest, {@link Misfit#NONE} if it was
   *     placed
   * @param best the nodes with the best scores, best first; the pod went to the first
   */
  public record Placement(
      PodRow pod, int candidates, Misfit misfit, List<Choice> best, ScoreClient.Answer answer) {}

  /**
   * A node as it was before the placement.
   *
   * @param cards to take, empty for a pod without GPUs
   * @param freeMilli of every card
   */
  public record Choice(
      String node, String model, int score, int[] cards, int[] freeMilli, long freeCpuMilli) {}

  /**
   * Asks for one pod and places it.
   *
   * @param top nodes to report
   * @throws IOException as {@link ScoreClient#ask}, or when the service names cards without room
   */
  public Placement place(PodRow row, int top) throws IOException {
    PodRequests pod = row.shape();
    List<GpuNode> room = new ArrayList<>();
    Misfit furthest = Misfit.MODEL;
    for (GpuNode node : nodes) {
      Misfit misfit = node.misfit(pod);
      furthest = misfit.compareTo(furthest) > 0 ? misfit : furthest;
      if (misfit == Misfit.NONE) {
        room.add(node);
      }
    }
    if (room.isEmpty()) {
      return new Placement(row, 0, furthest, List.of(), NOT_ASKED);
    }
    ScoreClient.Answer answer = client.ask(row.name(), pod, room);
    List<Choice> best =
        IntStream.range(0, room.size())
            .boxed()
            .sorted(Comparator.comparing(i -> -answer.scores()[i])) // stable: list order in ties
            .limit(top)
            .map(i -> choice(room.get(i), answer, i))
            .toList();
    GpuNode chosen = room.get(indexOfMax(answer.scores()));
    try {
      chosen.place(pod, mask(best.get(0).cards()));
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IOException("the service chose cards that cannot be taken: " + e.getMessage(), e);
    }
    return new Placement(row, room.size(), Misfit.NONE, best, answer);
  }

  private static final ScoreClient.Answer NOT_ASKED =
      new ScoreClient.Answer(new int[0], new int[0][0], "", "", 0);

  private static Choice choice(GpuNode node, ScoreClient.Answer answer, int i) {
    return new Choice(
        node.name(),
        node.model(),
        answer.scores()[i],
        answer.cards()[i],
        IntStream.range(0, node.cards()).map(node::freeMilli).toArray(),
        node.freeCpuMilli());
  }

  private static int indexOfMax(int[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  private static int mask(int[] cards) {
    int mask = 0;
    for (int card : cards) {
      mask |= 1 << card;
    }
    return mask;
  }
}
