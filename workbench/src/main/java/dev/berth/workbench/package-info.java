/**
 * What is run from a checkout and never in production: simulations, training, GPU runs and sweeps
 * as commands, the demo on a local cluster with its fake machines, and benches. May use every other
 * module; nothing uses it.
 */
@NullMarked
package dev.berth.workbench;

import org.jspecify.annotations.NullMarked;
