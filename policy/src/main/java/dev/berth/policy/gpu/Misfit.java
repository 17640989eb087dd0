package dev.berth.policy.gpu;

/**
 * What a pod lacks on a node, in the order of checking. Over a whole cluster the reason of a
 * failure is the greatest of these: what was missing where the pod came furthest.
 */
public enum Misfit {
  /** The node has no card of a model the pod accepts. */
  MODEL("no node with an accepted card model"),
  /** Too few cards with enough room. */
  CARD_ROOM("no card room"),
  /** Cards would do, CPU is short. */
  CPU("card room but too little CPU"),
  /** Cards and CPU would do, memory is short. */
  MEMORY("card room and CPU but too little memory"),
  /** Nothing is missing. */
  NONE("fits");

  private final String label;

  Misfit(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
