/**
 * Load-aware schedulers of others as their released code behaves, each with the metric agents it
 * brings along, so that they compete with what they really know. Promises: named after the release
 * followed, tested against numbers of its own unit tests; our code, none of theirs.
 */
@NullMarked
package dev.berth.simulator.rival;

import org.jspecify.annotations.NullMarked;
