/**
 * What Berth changed: the same pods as the stock scheduler would have placed them, reckoned beside
 * what happens.
 *
 * <p>Promises: runs after the answer, holds the scorer's lock for a few hundred nodes at a time,
 * and is bounded in bytes. A reckoning by the model, not a measurement; how far to trust it is part
 * of it.
 */
@NullMarked
package dev.berth.service.effect;

import org.jspecify.annotations.NullMarked;
