package dev.berth.policy.gpu;

/** Which node wins among equal scores. The choice is worth five points to FGD: name it always. */
public enum TieRule {
  /**
   * The first in node order. With nodes shuffled once per run this is the published experiment's
   * patched scheduler (smallest name under a random prefix): a first fit that consolidates.
   */
  PUBLISHED,
  /** Any of them, as the stock kube-scheduler does. */
  RANDOM
}
