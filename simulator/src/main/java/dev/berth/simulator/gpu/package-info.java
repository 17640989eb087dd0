/**
 * GPU clusters in the simulator: trace readers, the published fill-up experiment, runs with
 * departures, training of the node value, and their tables and pictures. Bit-reproducible from a
 * seed. Depends on {@code dev.berth.policy} and the picture library only.
 */
@NullMarked
package dev.berth.simulator.gpu;

import org.jspecify.annotations.NullMarked;
