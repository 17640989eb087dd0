package dev.berth.policy.gpu;

import dev.berth.policy.Decision;

/** A policy that also says which cards of a node the pod should take. */
public interface CardChooser {

  /**
   * Card indices per candidate, in the candidates' order; an empty row where the pod asks for no
   * GPU or does not fit.
   */
  int[][] cards(Decision decision);
}
