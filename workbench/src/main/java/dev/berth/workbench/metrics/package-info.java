/** Reads what a component says of itself on {@code /metrics}. Depends on no other room. */
@NullMarked
package dev.berth.workbench.metrics;

import org.jspecify.annotations.NullMarked;
