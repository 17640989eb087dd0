/**
 * Policies that look at the simulator's truth: how much could be won at all. They exist in the
 * simulator only, and none of them knows what will arrive.
 */
@NullMarked
package dev.berth.simulator.oracle;

import org.jspecify.annotations.NullMarked;
