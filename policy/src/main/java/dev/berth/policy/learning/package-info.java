/**
 * What every agent's learning shares, whatever it places: the kinds of agents, a network in
 * training with its target copy, double DQN's target, rings of experience. Knows no pods and no
 * nodes; depends on {@code network} and {@code tensor} only.
 */
@NullMarked
package dev.berth.policy.learning;

import org.jspecify.annotations.NullMarked;
