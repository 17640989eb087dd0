/**
 * The closed loop on a virtual clock: pods arrive, a policy places them, they use what they use,
 * samples come back late, pods end. Bit-reproducible from scenario, seed and policy; pods,
 * lifetimes, usage and lost samples are the same for every policy of a seed.
 */
@NullMarked
package dev.berth.simulator.engine;

import org.jspecify.annotations.NullMarked;
