/**
 * Whether something gains: a mean with its standard error where decisions depend on each other, and
 * tests that stay valid when they are repeated; experiments in which two serve in turn; estimates
 * of what one that did not serve would have gained.
 *
 * <p>Of what is compared it knows no more than {@link SwitchbackMeasure} says.
 */
@NullMarked
package dev.berth.policy.evidence;

import org.jspecify.annotations.NullMarked;
