/**
 * The learned value of a node's leftovers: how many of its GPUs will never be used. A pod goes
 * where this grows least. Features, network, policy and fitting; plain arrays, no I/O.
 */
@NullMarked
package dev.berth.policy.gpu.value;

import org.jspecify.annotations.NullMarked;
