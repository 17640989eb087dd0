/**
 * What owners use: a state-space model of each owner's usage / request ratio, and the Kalman filter
 * that estimates it from samples of whole nodes ({@link dev.berth.policy.usage.UsageFilter} says
 * how). Knows neither nodes nor pods, and depends on nothing else of the project.
 */
@NullMarked
package dev.berth.policy.usage;

import org.jspecify.annotations.NullMarked;
