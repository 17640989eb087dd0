/**
 * GPU sharing: the state of nodes and cards, what a placement would leave behind, the published
 * heuristics, the fragmentation metric, and the learned value of a node's leftovers.
 *
 * <p>Promises: scoring allocates nothing per node and reads no clock; the order of candidates never
 * matters. Depends on {@code dev.berth.policy} and {@code dev.berth.policy.cluster} only.
 */
@NullMarked
package dev.berth.policy.gpu;

import org.jspecify.annotations.NullMarked;
