/**
 * The only place that knows the tensor engine (DJL on PyTorch): builds the graph of a loss, takes
 * its gradient, and steps Adam. Nothing of {@code ai.djl} leaves this package; the rest sees plain
 * arrays.
 */
@NullMarked
package dev.berth.policy.tensor;

import org.jspecify.annotations.NullMarked;
