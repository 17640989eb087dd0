/**
 * GPU clusters in the simulator: trace readers, the published fill-up experiment, runs with
 * departures, training of the node value, and their tables and pictures. Bit-reproducible from a
 * seed. Of the simulator it depends on {@code csv} and {@code statistics} only.
 */
@NullMarked
package dev.berth.simulator.gpu;

import org.jspecify.annotations.NullMarked;
