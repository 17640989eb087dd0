package dev.berth.simulator.experiment;

import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import java.util.Map;
import java.util.TreeMap;

/**
 * Mean distance between two pods of one owner, over all such pairs of the cluster: 0 on one node,
 * thirds for another node, another rack, another zone. Worked out again only when a pod has come or
 * gone.
 */
final class OwnerDistance {
  private static final double STEPS = 3;

  private final Map<String, Owner> owners = new TreeMap<>();
  private long versions = -1;
  private double distance;

  /** How many pods an owner has in each place. */
  private static final class Owner {
    final Map<String, Integer> places = new TreeMap<>();
    int pods;
  }

  double of(Cluster truth) {
    long now = 0;
    for (Node node : truth.nodes()) {
      now += node.version() + 1L;
    }
    if (now != versions) {
      versions = now;
      distance = measure(truth);
    }
    return distance;
  }

  private double measure(Cluster truth) {
    owners.clear();
    for (Node node : truth.nodes()) {
      for (RunningPod pod : node.pods()) {
        Owner owner = owners.computeIfAbsent(pod.spec().pod().owner(), key -> new Owner());
        owner.pods++;
        owner.places.merge("node " + node.name(), 1, Integer::sum);
        owner.places.merge("rack " + node.rack(), 1, Integer::sum);
        owner.places.merge("zone " + node.zone(), 1, Integer::sum);
      }
    }
    double steps = 0;
    double pairs = 0;
    for (Owner owner : owners.values()) {
      double all = pairs(owner.pods);
      pairs += all;
      steps += STEPS * all;
      for (int together : owner.places.values()) {
        steps -= pairs(together); // every place that two pods share is one step less
      }
    }
    return pairs == 0 ? 0 : steps / (STEPS * pairs);
  }

  private static double pairs(int pods) {
    return pods * (pods - 1) / 2.0;
  }
}
