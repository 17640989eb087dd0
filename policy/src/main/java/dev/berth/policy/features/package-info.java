/**
 * One feature extractor for simulator and live service: a decision becomes rows of numbers, before
 * and after the placement. Depends on {@code dev.berth.policy}, {@code cluster}, {@code state},
 * {@code predict} and {@code network}.
 */
@NullMarked
package dev.berth.policy.features;

import org.jspecify.annotations.NullMarked;
