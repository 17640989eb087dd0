/**
 * GPU sharing: nodes with their cards, which a decision's candidates are turned into; what a
 * placement would leave behind; the published heuristics and the fragmentation metric. Every GPU
 * policy is a {@link dev.berth.policy.Policy}.
 *
 * <p>Promises: no clock; the order of candidates never matters. Depends on {@code dev.berth.policy}
 * and {@code dev.berth.policy.cluster} only.
 */
@NullMarked
package dev.berth.policy.gpu;

import org.jspecify.annotations.NullMarked;
