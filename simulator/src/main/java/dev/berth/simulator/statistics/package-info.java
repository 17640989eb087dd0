/** What is said of repeated runs: means with their confidence intervals. Depends on nothing. */
@NullMarked
package dev.berth.simulator.statistics;

import org.jspecify.annotations.NullMarked;
