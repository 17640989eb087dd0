package dev.berth.workbench.live;

import dev.berth.workbench.live.ClusterView.NodeLoad;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The text of {@code berth top}: nodes with what is requested and used, then who runs there. */
final class TopTable {
  private static final int BAR = 20;

  private TopTable() {}

  /**
   * @param cpuUsed measured share by node; empty when nothing is measured
   * @param rows most owners to list; the rest is counted in one line
   */
  static String render(
      ClusterView view, Map<String, Double> cpuUsed, Map<String, Double> memoryUsed, int rows) {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            "%-14s %-8s %-8s %8s  %-27s %8s %8s %9s%n",
            "NODE", "ZONE", "RACK", "CPU REQ", "CPU USED", "MEM REQ", "MEM USED", "PODS"));
    for (NodeLoad node : view.nodes()) {
      Double used = cpuUsed.get(node.name());
      out.append(
          String.format(
              "%-14s %-8s %-8s %8s  %-27s %8s %8s %4d/%-4d%s%n",
              node.name(),
              node.zone(),
              node.rack(),
              percent(node.cpuShare()),
              used == null ? "-" : percent(used) + " " + bar(used),
              percent(node.memoryShare()),
              memoryUsed.containsKey(node.name()) ? percent(memoryUsed.get(node.name())) : "-",
              node.pods(),
              node.podLimit(),
              node.schedulable() ? "" : "  (takes no pods)"));
    }
    out.append('\n').append(owners(view, rows));
    return out.toString();
  }

  private static String owners(ClusterView view, int rows) {
    Map<String, int[]> byOwner = new TreeMap<>(); // bound, pending
    for (Pod pod : view.pods()) {
      int[] counts = byOwner.computeIfAbsent(LivePods.owner(pod), o -> new int[2]);
      counts[LivePods.pending(pod) ? 1 : 0]++;
    }
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            "%d pods of %d owners, %d pending%n",
            view.pods().size(), byOwner.size(), view.pending()));
    if (byOwner.isEmpty()) {
      return out.toString();
    }
    out.append(String.format("%-48s %6s %8s%n", "OWNER", "BOUND", "PENDING"));
    List<Map.Entry<String, int[]>> entries = new ArrayList<>(byOwner.entrySet());
    for (Map.Entry<String, int[]> e : entries.subList(0, Math.min(rows, entries.size()))) {
      out.append(String.format("%-48s %6d %8d%n", e.getKey(), e.getValue()[0], e.getValue()[1]));
    }
    if (entries.size() > rows) {
      out.append(String.format("and %d more owners%n", entries.size() - rows));
    }
    return out.toString();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%5.1f%%", 100 * share);
  }

  private static String bar(double share) {
    int filled = (int) Math.round(Math.max(0, Math.min(1, share)) * BAR);
    return "#".repeat(filled) + ".".repeat(BAR - filled);
  }
}
