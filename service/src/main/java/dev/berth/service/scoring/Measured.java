package dev.berth.service.scoring;

import dev.berth.policy.predict.PredictThenGreedy;

/**
 * What the node of a placed pod used over a minute, five minutes after the pod was bound.
 *
 * @param order of its bind among all: what later ones bring is told apart by that
 * @param at seconds since the epoch when it was looked at
 * @param usage CPU of the node as a fraction of it
 * @param without the same less what the pod and those bound after it bring: what its decision
 *     forecast
 */
public record Measured(String decision, long order, double at, double usage, double without) {
  /** Since the bind: the first horizon of a forecast that lies ahead. */
  public static final double AFTER_SECONDS = PredictThenGreedy.HORIZONS[1];

  /** What a node used is the mean of so long. */
  public static final double OVER_SECONDS = 60;
}
