package dev.berth.policy.gpu;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import java.util.Arrays;
import java.util.List;

/**
 * One node and its cards, mutable. A set of cards is a bit mask: bit i is card i.
 *
 * <p>Thread rule: none; one owner.
 */
public final class GpuNode {
  private static final int MAX_CARDS = 32;
  private static final int[] NO_CARDS = {};

  private final String name;
  private final String model;
  private final long cpuCapacityMilli;
  private final long memoryCapacityBytes;
  private final int[] freeMilli;
  private final int[] podsByAffinity = new int[MAX_CARDS + 1];
  private long freeCpuMilli;
  private long freeMemoryBytes;
  private int idleMilli;
  private int affinities;
  private int pods;
  private int version;

  /** An empty node. */
  public GpuNode(String name, String model, int cards, long cpuMilli, long memoryBytes) {
    if (cards < 0 || cards > MAX_CARDS) {
      throw new IllegalArgumentException(
          "node " + name + " has " + cards + " cards: 0.." + MAX_CARDS + " are supported");
    }
    this.name = name;
    this.model = model;
    this.cpuCapacityMilli = cpuMilli;
    this.memoryCapacityBytes = memoryBytes;
    this.freeMilli = new int[cards];
    Arrays.fill(freeMilli, GpuRequest.CARD_MILLI);
    this.freeCpuMilli = cpuMilli;
    this.freeMemoryBytes = memoryBytes;
    this.idleMilli = cards * GpuRequest.CARD_MILLI;
  }

  /** A node in use, seen from outside: its pods are unknown, only what is free. */
  public static GpuNode observed(
      String name,
      String model,
      int[] freeMilli,
      long cpuMilli,
      long memoryBytes,
      long freeCpuMilli,
      long freeMemoryBytes) {
    GpuNode node = new GpuNode(name, model, freeMilli.length, cpuMilli, memoryBytes);
    System.arraycopy(freeMilli, 0, node.freeMilli, 0, freeMilli.length);
    node.freeCpuMilli = freeCpuMilli;
    node.freeMemoryBytes = freeMemoryBytes;
    node.idleMilli = Arrays.stream(freeMilli).sum();
    return node;
  }

  /** The candidates of a decision as nodes in use, {@code [candidates]}. */
  public static GpuNode[] of(Candidates candidates) {
    GpuColumns gpus = candidates.gpus();
    GpuNode[] nodes = new GpuNode[candidates.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] =
          observed(
              candidates.names()[i],
              gpus == null ? "" : gpus.models()[i],
              gpus == null ? NO_CARDS : gpus.freeMilli()[i],
              candidates.cpuMilli()[i],
              candidates.memoryBytes()[i],
              candidates.cpuMilli()[i] - candidates.cpuRequestedMilli()[i],
              candidates.memoryBytes()[i] - candidates.memoryRequestedBytes()[i]);
    }
    return nodes;
  }

  public GpuNode copy() {
    GpuNode copy =
        new GpuNode(name, model, freeMilli.length, cpuCapacityMilli, memoryCapacityBytes);
    System.arraycopy(freeMilli, 0, copy.freeMilli, 0, freeMilli.length);
    System.arraycopy(podsByAffinity, 0, copy.podsByAffinity, 0, podsByAffinity.length);
    copy.freeCpuMilli = freeCpuMilli;
    copy.freeMemoryBytes = freeMemoryBytes;
    copy.idleMilli = idleMilli;
    copy.affinities = affinities;
    copy.pods = pods;
    return copy;
  }

  public String name() {
    return name;
  }

  /** Card model, empty without cards. */
  public String model() {
    return model;
  }

  public int cards() {
    return freeMilli.length;
  }

  public int freeMilli(int card) {
    return freeMilli[card];
  }

  /** Free milli-GPU over all cards. */
  public int idleMilli() {
    return idleMilli;
  }

  public int wholeFreeCards() {
    int whole = 0;
    for (int free : freeMilli) {
      if (free == GpuRequest.CARD_MILLI) {
        whole++;
      }
    }
    return whole;
  }

  public long freeCpuMilli() {
    return freeCpuMilli;
  }

  public long cpuCapacityMilli() {
    return cpuCapacityMilli;
  }

  public long freeMemoryBytes() {
    return freeMemoryBytes;
  }

  public long memoryCapacityBytes() {
    return memoryCapacityBytes;
  }

  public int pods() {
    return pods;
  }

  /** Changes so far: what was computed of this node holds while this stays. */
  public int version() {
    return version;
  }

  /** Pods here that ask for the same kind of GPU share: a part of a card, or the same count. */
  public int podsAlike(PodRequests pod) {
    return podsByAffinity[affinity(pod)];
  }

  /** Number of different kinds of GPU share on this node. */
  public int affinities() {
    return affinities;
  }

  /** What the pod lacks here, {@link Misfit#NONE} if it fits. */
  public Misfit misfit(PodRequests pod) {
    if (pod.gpu().count() > 0) {
      if (!accepts(pod.gpu().models())) {
        return Misfit.MODEL;
      }
      if (!hasCardRoom(pod.gpu().count(), pod.gpu().milli())) {
        return Misfit.CARD_ROOM;
      }
    }
    if (freeCpuMilli < pod.cpuMilli()) {
      return Misfit.CPU;
    }
    return freeMemoryBytes < pod.memoryBytes() ? Misfit.MEMORY : Misfit.NONE;
  }

  private boolean accepts(List<String> models) {
    return freeMilli.length > 0 && (models.isEmpty() || models.contains(model));
  }

  private boolean hasCardRoom(int count, int milli) {
    int missing = count;
    for (int free : freeMilli) {
      if (free >= milli && --missing == 0) {
        return true;
      }
    }
    return false;
  }

  /** Puts a pod on the given cards. */
  public void place(PodRequests pod, int cards) {
    requireCards(pod, cards);
    for (int card = 0; card < freeMilli.length; card++) {
      if ((cards & 1 << card) != 0) {
        if (freeMilli[card] < pod.gpu().milli()) {
          throw new IllegalStateException(
              "card %d of node %s has %d milli free, the pod asks for %d"
                  .formatted(card, name, freeMilli[card], pod.gpu().milli()));
        }
        freeMilli[card] -= pod.gpu().milli();
      }
    }
    idleMilli -= pod.gpu().totalMilli();
    freeCpuMilli -= pod.cpuMilli();
    freeMemoryBytes -= pod.memoryBytes();
    pods++;
    version++;
    if (pod.gpu().count() > 0 && podsByAffinity[affinity(pod)]++ == 0) {
      affinities++;
    }
  }

  /** Takes a pod off the cards it was placed on. */
  public void remove(PodRequests pod, int cards) {
    requireCards(pod, cards);
    for (int card = 0; card < freeMilli.length; card++) {
      if ((cards & 1 << card) != 0) {
        freeMilli[card] += pod.gpu().milli();
      }
    }
    idleMilli += pod.gpu().totalMilli();
    freeCpuMilli += pod.cpuMilli();
    freeMemoryBytes += pod.memoryBytes();
    pods--;
    version++;
    if (pod.gpu().count() > 0 && --podsByAffinity[affinity(pod)] == 0) {
      affinities--;
    }
  }

  private void requireCards(PodRequests pod, int cards) {
    if (Integer.bitCount(cards) != pod.gpu().count()) {
      throw new IllegalArgumentException(
          "a pod with gpu-count=%d cannot use card mask %s on node %s"
              .formatted(pod.gpu().count(), Integer.toBinaryString(cards), name));
    }
  }

  /** 0 for a shared card, else the number of whole cards. */
  private static int affinity(PodRequests pod) {
    return pod.sharesCard() ? 0 : pod.gpu().count();
  }
}
