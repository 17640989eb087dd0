package dev.berth.simulator.experiment;

import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is turned until two policies hurt alike. Pods, their arrivals, lives and usage stay the
 * same; the nodes change under them, and the higher the position the more it hurts.
 */
public enum Dial {
  /** Nodes become smaller, in CPU and memory: the same pods are more load, .6 to 1.4 times. */
  LOAD(40, 80) {
    @Override
    double value(double position) {
      return 0.6 + position / 100;
    }

    @Override
    List<NodeGroup> turn(List<NodeGroup> nodes, double load) {
      return nodes.stream()
          .map(
              g ->
                  g.with(
                      g.count(),
                      Math.round(g.cpuMilli() / load),
                      Math.round(g.memoryBytes() / load)))
          .toList();
    }
  },

  /** Nodes become fewer, half as many more to half as many; every group by its share. */
  NODES(5, 10) {
    @Override
    double value(double position) {
      return 1.5 - position / 10;
    }

    @Override
    List<NodeGroup> turn(List<NodeGroup> nodes, double share) {
      List<NodeGroup> out = new ArrayList<>();
      int before = 0;
      int dealt = 0;
      for (NodeGroup g : nodes) {
        before += g.count();
        int count = Math.max(1, (int) Math.round(before * share) - dealt);
        dealt += count;
        out.add(g.with(count, g.cpuMilli(), g.memoryBytes()));
      }
      return out;
    }
  };

  private final int origin;
  private final int last;

  Dial(int origin, int last) {
    this.origin = origin;
    this.last = last;
  }

  /** Position at which a scenario is as its file says. */
  int origin() {
    return origin;
  }

  int last() {
    return last;
  }

  /** Load, or number of nodes, as a multiple of the scenario's own. */
  abstract double value(double position);

  abstract List<NodeGroup> turn(List<NodeGroup> nodes, double value);

  /** The scenario at a position, under a name that tells it apart. */
  Scenario at(Scenario scenario, int position) {
    return scenario.withNodes(turn(scenario.nodes(), value(position)));
  }

  /** Name of a scenario at a position. */
  String name(String scenario, int position) {
    return String.format(
        Locale.ROOT, "%s@%s-%.2f", scenario, name().toLowerCase(Locale.ROOT), value(position));
  }
}
