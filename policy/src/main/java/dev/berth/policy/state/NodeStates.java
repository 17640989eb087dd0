package dev.berth.policy.state;

import dev.berth.policy.cluster.Candidates;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by name. Only what is fed makes one known; asking changes nothing. A decision asks for
 * its candidates' states several times, and the next one mostly names the same nodes in the same
 * order: comparing a name costs a third of looking it up.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class NodeStates {
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final NodeRows rows = new NodeRows();

  // The candidates asked for last, their states, and where these stand in the columns.
  private String[] names = {};
  private NodeState[] states = {};
  private int[] positions = {};

  Collection<NodeState> all() {
    return nodes.values();
  }

  @Nullable NodeState known(String name) {
    return nodes.get(name);
  }

  /** The node's state, from now on a known one. */
  NodeState admit(String name, double now) {
    NodeState known = nodes.get(name);
    if (known == null) {
      known = new NodeState(name, now, rows, rows.take());
      rows.admit(known);
      nodes.put(name, known);
      forgetCandidates(); // among which a stand-in may be
    }
    return known;
  }

  /** The candidates' states, stand-ins where nothing is known; read only, {@code [candidates]}. */
  NodeState[] of(Candidates candidates) {
    String[] wanted = candidates.names();
    if (wanted != names) {
      NodeState[] found = new NodeState[wanted.length];
      for (int i = 0; i < found.length; i++) {
        found[i] =
            i < states.length && wanted[i].equals(names[i]) ? states[i] : knownOrNew(wanted[i]);
      }
      names = wanted;
      states = found;
      positions = new int[found.length];
      for (int i = 0; i < found.length; i++) {
        positions[i] = found[i].row;
      }
    }
    return states;
  }

  /** Columns of all nodes, as they are now. */
  NodeRows rows() {
    rows.refresh();
    return rows;
  }

  /** Where the candidates stand in {@link #rows}; read only, {@code [candidates]}. */
  int[] rowsOf(Candidates candidates) {
    of(candidates);
    return positions;
  }

  private NodeState knownOrNew(String name) {
    NodeState known = nodes.get(name);
    return known == null
        ? new NodeState(name, Double.NEGATIVE_INFINITY, rows, NodeRows.UNKNOWN)
        : known;
  }

  /** Removes a node; null if it was not known. */
  @Nullable NodeState remove(String name) {
    forgetCandidates();
    NodeState known = nodes.remove(name);
    if (known != null) {
      rows.release(known);
    }
    return known;
  }

  private void forgetCandidates() {
    names = new String[0];
    states = new NodeState[0];
    positions = new int[0];
  }
}
