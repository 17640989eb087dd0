/**
 * What pods really use, as opposed to what they request: hidden owner behaviour drawn from a seed,
 * pod noise, daemons, and what contention does. Pure functions of seed, key and time, without a
 * clock, so the simulator (virtual time) and the live usage exporter (real time) share them.
 */
@NullMarked
package dev.berth.simulator.usage;

import org.jspecify.annotations.NullMarked;
