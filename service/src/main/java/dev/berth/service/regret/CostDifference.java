package dev.berth.service.regret;

import dev.berth.policy.predict.PlacementCost;

/**
 * What a pod costs on the node it got and on the one Berth wanted: the cost that Berth is judged
 * by, of one horizon and for given usage, so that a forecast and what came of it are held against
 * each other in the same unit.
 *
 * @param mean over the candidates of the usage expected without the pod, share of a node
 * @param spread of the same
 * @param here what the pod adds to the node it got, share of it
 * @param ours what it would add to the other
 */
record CostDifference(double mean, double spread, int candidates, double here, double ours) {

  /**
   * What the node costs more than the other; below zero where it costs less.
   *
   * @param usageHere of the node it got, without the pod, share of it
   */
  double regret(double usageHere, double usageOurs) {
    return cost(usageHere, here) - cost(usageOurs, ours);
  }

  private double cost(double usage, double added) {
    return PlacementCost.increase(
        usage - mean, usage, added, candidates, spread, PlacementCost.FORECAST_ERROR);
  }
}
