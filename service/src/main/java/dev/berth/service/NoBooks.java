package dev.berth.service;

import dev.berth.policy.bookkeeping.Bookkeeping;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;

/** Keeps nothing, until the bookkeeping lands. */
final class NoBooks implements Bookkeeping {
  @Override
  public void podBound(Pod pod, String node, double at) {}

  @Override
  public void podGone(String podUid, double at) {}

  @Override
  public void sample(NodeSample sample, double visibleAt) {}

  @Override
  public void nodeGone(String node) {}
}
