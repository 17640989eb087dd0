/**
 * The agents: value differences over candidates (DQN), the softmax of the same differences
 * (actor-critic), each with an MLP or a graph network; the online learner that the simulator and
 * the live service both drive; and the gate that a model must pass before it serves.
 */
@NullMarked
package dev.berth.policy.agent;

import org.jspecify.annotations.NullMarked;
