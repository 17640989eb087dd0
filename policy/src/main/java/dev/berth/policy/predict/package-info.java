/**
 * Know, then predict: forecasts of node usage after a placement, and the greedy rule on top. The
 * base score that Berth serves, and the rival that learning must beat.
 */
@NullMarked
package dev.berth.policy.predict;

import org.jspecify.annotations.NullMarked;
