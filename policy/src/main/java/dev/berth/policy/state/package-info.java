/**
 * What is known of the cluster between two samples: nodes, the pods on them, their last samples,
 * and the usage forecast from all of it. Shared by every policy. Depends on {@code
 * dev.berth.policy.cluster}, {@code usage}, {@code ledger} and, to outlive the process, {@code
 * file}.
 */
@NullMarked
package dev.berth.policy.state;

import org.jspecify.annotations.NullMarked;
