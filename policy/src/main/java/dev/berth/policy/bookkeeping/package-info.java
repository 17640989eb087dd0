/**
 * What Berth knows of the cluster between two samples: the in-flight ledger, owner ratios, time of
 * day, lifetimes and the age of every sample. Shared by every policy; depends on {@code
 * dev.berth.policy.cluster} only.
 */
@NullMarked
package dev.berth.policy.bookkeeping;

import org.jspecify.annotations.NullMarked;
