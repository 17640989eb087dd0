/**
 * Hand-written scorers: what today's schedulers do, each citing its source. They are Berth's rivals
 * and its fallbacks; depends on the vocabulary, the cluster state and the predictor.
 */
@NullMarked
package dev.berth.policy.heuristic;

import org.jspecify.annotations.NullMarked;
