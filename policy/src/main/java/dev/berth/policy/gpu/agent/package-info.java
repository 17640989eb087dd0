/**
 * The general agents on the GPU task: DQN and actor-critic with a decomposed Q, their graph twins,
 * and a plain DQN as their rival. They share the node features of the value that ships, one policy
 * and one file format; they differ in what they keep of a fill-up and how they behave in it.
 */
@NullMarked
package dev.berth.policy.gpu.agent;

import org.jspecify.annotations.NullMarked;
