/**
 * Training in the simulator: episodes of scenarios drive the same online learner as the live
 * service does, with checkpoints that resume bit-exactly and TensorBoard event files.
 */
@NullMarked
package dev.berth.simulator.learning;

import org.jspecify.annotations.NullMarked;
