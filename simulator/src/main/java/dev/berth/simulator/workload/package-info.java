/**
 * What arrives when: lists of Deployments and streams of pods, drawn from a seed before a run
 * starts, so that every policy gets the same ones. Pure: the same generator feeds the simulator and
 * {@code berth workload} on a real cluster.
 */
@NullMarked
package dev.berth.simulator.workload;

import org.jspecify.annotations.NullMarked;
