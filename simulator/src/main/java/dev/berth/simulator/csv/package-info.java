/**
 * Comma-separated files, as RFC 4180 has them. The only package, with its callers that write, that
 * knows Commons CSV.
 */
@NullMarked
package dev.berth.simulator.csv;

import org.jspecify.annotations.NullMarked;
