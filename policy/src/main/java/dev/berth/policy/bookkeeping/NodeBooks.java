package dev.berth.policy.bookkeeping;

import dev.berth.policy.cluster.Candidates;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by name. A decision asks for its candidates' books several times, and the next one
 * mostly names the same nodes in the same order: comparing a name costs a third of looking it up.
 *
 * <p>Thread rule: as {@link Bookkeeping}.
 */
final class NodeBooks {
  private final Map<String, NodeBook> nodes = new HashMap<>();

  // The candidates asked for last, and their books.
  private String[] names = {};
  private NodeBook[] books = {};

  Collection<NodeBook> all() {
    return nodes.values();
  }

  @Nullable NodeBook known(String name) {
    return nodes.get(name);
  }

  /** The node's book, a new one if need be. */
  NodeBook of(String name) {
    return nodes.computeIfAbsent(name, NodeBook::new);
  }

  /** The candidates' books, made where there were none; to be read only, {@code [candidates]}. */
  NodeBook[] of(Candidates candidates) {
    String[] wanted = candidates.names();
    if (wanted != names) {
      NodeBook[] found = new NodeBook[wanted.length];
      for (int i = 0; i < found.length; i++) {
        found[i] = i < books.length && wanted[i].equals(names[i]) ? books[i] : of(wanted[i]);
      }
      names = wanted;
      books = found;
    }
    return books;
  }

  /** Removes a node; null if it was not known. */
  @Nullable NodeBook remove(String name) {
    names = new String[0];
    books = new NodeBook[0];
    return nodes.remove(name);
  }
}
