/**
 * The catalog of all policies, and those that exist in the simulator only: that look at its truth,
 * for how much could be won at all, none of them at what will arrive; and ours beside the stock
 * scorers.
 */
@NullMarked
package dev.berth.simulator.oracle;

import org.jspecify.annotations.NullMarked;
