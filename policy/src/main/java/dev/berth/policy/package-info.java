/**
 * Deciding and learning, without I/O: what a scorer may know, what it answers, and how it learns.
 *
 * <p>Promises: no clock, no file, no socket and no global randomness in here; time and randomness
 * come in as arguments, so the simulator (virtual clock) and the live service (real clock) run
 * exactly the same code. Depends on nothing of the other modules.
 */
@NullMarked
package dev.berth.policy;

import org.jspecify.annotations.NullMarked;
