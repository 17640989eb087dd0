/**
 * Networks as plain values: their shape, their weights and a forward pass in plain Java, which
 * serves decisions and checks the tensor layer. Depends on nothing.
 */
@NullMarked
package dev.berth.policy.network;

import org.jspecify.annotations.NullMarked;
