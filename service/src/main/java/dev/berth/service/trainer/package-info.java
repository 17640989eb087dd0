/**
 * Learning beside the service: one thread that learns, one object that swaps what serves.
 *
 * <p>Promises: scoring never waits for a gradient step; a learner that dies leaves the last
 * promoted model serving; what was learned survives a kill up to the last checkpoint.
 */
@NullMarked
package dev.berth.service.trainer;

import org.jspecify.annotations.NullMarked;
