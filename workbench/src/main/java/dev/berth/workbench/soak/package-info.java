/**
 * Keeps the service at work for a long time inside the memory it is shipped with: a process with
 * the image's own start script, asked by a stand-in for the scheduler and measured by one for
 * Prometheus.
 *
 * <p>Promises: latencies count from when a decision was due, so that a stall is seen by all that it
 * held up; figures are printed as measured, and what fails the run is one list in {@link
 * dev.berth.workbench.soak.Verdict}.
 */
@NullMarked
package dev.berth.workbench.soak;

import org.jspecify.annotations.NullMarked;
