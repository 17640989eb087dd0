/**
 * The vocabulary: pods, candidate nodes and node samples as immutable values. Depends on nothing.
 */
@NullMarked
package dev.berth.policy.cluster;

import org.jspecify.annotations.NullMarked;
