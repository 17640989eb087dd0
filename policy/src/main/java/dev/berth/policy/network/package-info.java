/**
 * Networks as plain values: their shape, their weights, the forward pass, which serves decisions,
 * and the way back, which learns. Depends on nothing.
 */
@NullMarked
package dev.berth.policy.network;

import org.jspecify.annotations.NullMarked;
