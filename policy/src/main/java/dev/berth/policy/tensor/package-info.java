/**
 * Gradient steps: what a loss is, its gradient, Adam. Plain arrays throughout; depends on {@code
 * network} only.
 */
@NullMarked
package dev.berth.policy.tensor;

import org.jspecify.annotations.NullMarked;
