/**
 * Measures the service from outside, over a socket, as the plugin sees it.
 *
 * <p>Promises: the server under test is the one that {@code berth serve} runs; figures are printed
 * as measured.
 */
@NullMarked
package dev.berth.workbench.bench;

import org.jspecify.annotations.NullMarked;
