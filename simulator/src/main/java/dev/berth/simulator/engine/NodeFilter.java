package dev.berth.simulator.engine;

import dev.berth.policy.cluster.Pod;

/**
 * A policy that is a Filter plugin, too: a pod that it lets on no node waits, and is tried again in
 * every tick.
 */
@FunctionalInterface
public interface NodeFilter {

  /** Whether the pod may go there, as far as this plugin is concerned. */
  boolean admits(Pod pod, Node node, double now);
}
