/**
 * Measuring policies: metrics of a run, many runs side by side under common random numbers,
 * statistics and reports.
 */
@NullMarked
package dev.berth.simulator.experiment;

import org.jspecify.annotations.NullMarked;
