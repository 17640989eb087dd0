/**
 * Whether something gains: a mean with its standard error where decisions depend on each other, and
 * tests that stay valid when they are repeated.
 *
 * <p>Knows nothing of what is compared.
 */
@NullMarked
package dev.berth.policy.evidence;

import org.jspecify.annotations.NullMarked;
