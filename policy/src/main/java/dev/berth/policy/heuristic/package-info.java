/**
 * Hand-written scorers: what today's schedulers do, each citing its source. They are Berth's rivals
 * and its fallbacks; depends on {@code dev.berth.policy}, {@code cluster}, {@code usage}, {@code
 * state} and {@code predict}.
 */
@NullMarked
package dev.berth.policy.heuristic;

import org.jspecify.annotations.NullMarked;
