/**
 * The learned value of a node's leftovers: how many of its GPUs will never be used. A pod goes
 * where this grows least. What differs from other learning: the features, the value of a node, the
 * prices of rare cards and of room for big pods.
 */
@NullMarked
package dev.berth.policy.gpu.value;

import org.jspecify.annotations.NullMarked;
