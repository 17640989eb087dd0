/**
 * Hand-written scorers: what today's schedulers do, each citing its source. They are Berth's rivals
 * and its fallbacks; depends on the vocabulary and the bookkeeping only.
 */
@NullMarked
package dev.berth.policy.heuristic;

import org.jspecify.annotations.NullMarked;
