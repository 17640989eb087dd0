/**
 * Hyper-parameter sweeps: a grid of settings x seeds, cut into units that run anywhere.
 *
 * <p>Promises: a unit is named by one number, writes one result file and knows nothing of the
 * others, so a laptop's processes and a Kubernetes Indexed Job run exactly the same thing. Trains
 * and judges through the command line only; depends on no policy and no simulation.
 */
@NullMarked
package dev.berth.workbench.sweep;

import org.jspecify.annotations.NullMarked;
