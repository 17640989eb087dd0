/**
 * A virtual-clock cluster: usage that is never the request, samples that lag, pods that end;
 * scenarios, workloads, traces, experiments and the leaderboard. Bit-reproducible from a seed. Of
 * the project it depends on {@code dev.berth.policy} only.
 */
@NullMarked
package dev.berth.simulator;

import org.jspecify.annotations.NullMarked;
