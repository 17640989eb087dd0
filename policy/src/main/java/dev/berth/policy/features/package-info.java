/**
 * One feature extractor for simulator and live service: a decision becomes rows of numbers, before
 * and after the placement. Depends on the vocabulary, the cluster state and the predictor.
 */
@NullMarked
package dev.berth.policy.features;

import org.jspecify.annotations.NullMarked;
