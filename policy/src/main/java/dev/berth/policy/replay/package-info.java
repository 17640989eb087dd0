/**
 * Memory of settled decisions, stratified so that rare regimes are not forgotten. Plain arrays, no
 * tensors.
 */
@NullMarked
package dev.berth.policy.replay;

import org.jspecify.annotations.NullMarked;
