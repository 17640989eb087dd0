/**
 * Comma-separated files, as RFC 4180 has them. Depends on nothing of the project; the only package,
 * with the workbench, that knows Commons CSV.
 */
@NullMarked
package dev.berth.simulator.csv;

import org.jspecify.annotations.NullMarked;
