/**
 * What a node's last sample could not see yet, or still saw of pods that have left: the in-flight
 * ledger. Depends on {@code dev.berth.policy.cluster} and {@code dev.berth.policy.usage} only.
 */
@NullMarked
package dev.berth.policy.ledger;

import org.jspecify.annotations.NullMarked;
