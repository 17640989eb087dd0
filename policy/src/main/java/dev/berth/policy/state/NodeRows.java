package dev.berth.policy.state;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.usage.OwnerModel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What decisions read of the nodes, as columns with a row for each. A decision walks over every
 * candidate, and objects that lie all over the heap cost it several times what its arithmetic does:
 * a question of 5,000 candidates with ten pods each is answered in 2.3 ms instead of 5.2, by turns
 * (docs/performance.md).
 *
 * <p>Whatever changes a node says so ({@link #changed}); its row is written anew before it is read
 * the next time. Entry r of every array is row r.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class NodeRows {
  /** The row of all nodes of which nothing is known. */
  static final int UNKNOWN = 0;

  /** Numbers of an entry of {@link #groups}. */
  static final int GROUP = 3;

  private static final int[] NO_OWNERS = {};
  private static final double[] NO_GROUPS = {};

  /** CPU in cores, NaN until it has been named. */
  double[] capacity = {};

  /** CPU that the node spends on itself, cores. */
  double[] overhead = {};

  /** As {@link NodeState#slowness}. */
  double[] slowness = {};

  /** As {@link NodeState#wholeSlowness}. */
  double[] wholeSlowness = {};

  /** As {@link NodeState#residual}. */
  double[] residual = {};

  /** End of the last sample's window, NaN without a sample. */
  double[] sampledAt = {};

  /** The same of a sample that tells of CPU. */
  double[] measuredAt = {};

  /** Request cores of the pods on the node, as the scheduler counts them. */
  double[] requested = {};

  /** {@link OwnerModel#number} of the owners of its pods. */
  int[][] owners = {};

  /**
   * A bit for each of them, by its number modulo 64: of most nodes it says at once that an owner
   * has no pods there.
   */
  private long[] ownerBits = {};

  /** Of each owner's pods there: request cores, deviation, pods; then the next owner's. */
  double[][] groups = {};

  /** How often the row was written: who keeps what is made of it compares this. */
  int[] writes = {};

  /** As {@link NodeMemory} has them, bytes. */
  double[] memoryHeld = {};

  double[] memoryShown = {};
  double[] memorySince = {};
  double[] memoryMeasuredSince = {};

  // What was sought last: the rows, the owner, after so many writes, and where its entries begin.
  private int[] soughtAt = {};
  private int soughtOwner;
  private long soughtAfter = -1;
  private int[] sought = {};

  private long writesOfAll;
  private @Nullable NodeState[] nodes = {};
  private boolean[] stale = {};
  private int[] staleRows = {};
  private int staleCount;
  private int[] free = {};
  private int freeCount;
  private int used;

  NodeRows() {
    write(take(), new NodeState("", Double.NEGATIVE_INFINITY, this, UNKNOWN));
  }

  /** A row for a node that becomes known. */
  int take() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    if (used == nodes.length) {
      grow(Math.max(16, 2 * used));
    }
    return used++;
  }

  /** The node is one of the known from now on. */
  void admit(NodeState node) {
    nodes[node.row] = node;
    changed(node.row);
  }

  /** A node is known no more. */
  void release(NodeState node) {
    nodes[node.row] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, Math.max(16, 2 * freeCount));
    }
    free[freeCount++] = node.row;
  }

  /** Something of the node is not what its row says. */
  void changed(int row) {
    if (!stale[row]) {
      stale[row] = true;
      staleRows[staleCount++] = row; // each stands there once, so there is room
    }
  }

  /** Writes the rows of all that have changed; to be called before any is read. */
  void refresh() {
    for (int i = 0; i < staleCount; i++) {
      int row = staleRows[i];
      stale[row] = false;
      NodeState node = nodes[row];
      if (node != null) {
        write(row, node);
      }
    }
    staleCount = 0;
  }

  /**
   * Where in {@link #groups} an owner's pods on some nodes stand, -1 where it has none there; read
   * only, {@code [rows]}. A decision asks twice.
   *
   * @param at the rows
   */
  int[] entries(int[] at, OwnerModel owner) {
    int number = owner.number();
    if (at != soughtAt || number != soughtOwner || writesOfAll != soughtAfter) {
      int[] entries = new int[at.length];
      for (int i = 0; i < entries.length; i++) {
        entries[i] = entry(at[i], number);
      }
      sought = entries;
      soughtAt = at;
      soughtOwner = number;
      soughtAfter = writesOfAll;
    }
    return sought;
  }

  /** Where the owner's entry begins, -1 if it has none. */
  private int entry(int row, int number) {
    if ((ownerBits[row] & 1L << number) == 0) {
      return -1;
    }
    int[] here = owners[row];
    for (int entry = 0; entry < here.length; entry++) {
      if (here[entry] == number) {
        return GROUP * entry;
      }
    }
    return -1;
  }

  private void write(int row, NodeState node) {
    NodeSample last = node.last;
    writes[row]++;
    writesOfAll++;
    capacity[row] = node.capacity;
    overhead[row] = node.overhead.mean();
    slowness[row] = node.slowness.mean();
    wholeSlowness[row] = node.wholeSlowness();
    residual[row] = node.residual;
    sampledAt[row] = last == null ? Double.NaN : last.windowEnd();
    measuredAt[row] = last == null || Double.isNaN(last.cpuCores()) ? Double.NaN : last.windowEnd();
    node.memory.write(this, row);
    PodGroups of = node.groups();
    requested[row] = of.requested();
    int count = of.owners().length;
    if (groups[row] == null || owners[row].length != count) {
      owners[row] = count == 0 ? NO_OWNERS : new int[count];
      groups[row] = count == 0 ? NO_GROUPS : new double[GROUP * count];
    }
    double[] entries = groups[row];
    ownerBits[row] = 0;
    for (int g = 0; g < count; g++) {
      owners[row][g] = of.owners()[g].number();
      ownerBits[row] |= 1L << owners[row][g]; // the shift is modulo 64
      entries[GROUP * g] = of.cores()[g];
      entries[GROUP * g + 1] = of.deviation()[g];
      entries[GROUP * g + 2] = of.count()[g];
    }
  }

  private void grow(int size) {
    capacity = Arrays.copyOf(capacity, size);
    overhead = Arrays.copyOf(overhead, size);
    slowness = Arrays.copyOf(slowness, size);
    wholeSlowness = Arrays.copyOf(wholeSlowness, size);
    residual = Arrays.copyOf(residual, size);
    sampledAt = Arrays.copyOf(sampledAt, size);
    measuredAt = Arrays.copyOf(measuredAt, size);
    requested = Arrays.copyOf(requested, size);
    owners = Arrays.copyOf(owners, size);
    ownerBits = Arrays.copyOf(ownerBits, size);
    groups = Arrays.copyOf(groups, size);
    writes = Arrays.copyOf(writes, size);
    memoryHeld = Arrays.copyOf(memoryHeld, size);
    memoryShown = Arrays.copyOf(memoryShown, size);
    memorySince = Arrays.copyOf(memorySince, size);
    memoryMeasuredSince = Arrays.copyOf(memoryMeasuredSince, size);
    nodes = Arrays.copyOf(nodes, size);
    stale = Arrays.copyOf(stale, size);
    staleRows = Arrays.copyOf(staleRows, size);
  }
}
