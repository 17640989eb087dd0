package dev.berth.policy.usage;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Covariance between the blocks of owners, pods and nodes: once a sample has told two owners on a
 * node apart only in sum, learning about one says something about the other. Keeping these
 * correlations lowers the error of the forecast by 3 (now) to 9 % (in 50 minutes) on ten nodes
 * against treating owners apart.
 *
 * <p>Memory and time grow with the square of the members, so it gives up once they exceed {@link
 * #MAX_ROWS} (about 30 nodes): large clusters see an owner in many mixtures, and there owners can
 * be told apart without it.
 */
final class JointCovariance {
  static final int MAX_ROWS = 1200;

  /** Rows correlated less than this (squared) with an observation are left alone by it. */
  private static final double MIN_CORRELATION = 1e-4;

  /** Rounding must not make anything certain: what is certain would never learn again. */
  private static final double MIN_VARIANCE = 1e-8;

  /** Rows that are written at a time; 16 take two thirds of the time that 1 or 8 take. */
  private static final int BLOCK = 16;

  /** Free rows that are borne with. */
  private static final int MAX_FREE = 24;

  /** First rows of what a member left, by its size. All of a free row and column is zero. */
  private final Map<Integer, Deque<Integer>> free = new HashMap<>();

  private double[][] p = new double[64][64];

  /** The member that a row belongs to, null for a free one; {@code [rows]}. */
  private @Nullable StateEstimate[] memberOf = new StateEstimate[64];

  /** Rows in use and free ones between them. */
  private int n;

  /** Rows in use. */
  private int used;

  private boolean outgrown;

  /** Makes the estimate a member, if there is room. */
  void admit(StateEstimate b) {
    if (b.row != StateEstimate.NOT_JOINT || outgrown) {
      return;
    }
    if (used + b.size() > MAX_ROWS) {
      outgrown = true;
      giveUp();
      return;
    }
    Integer left = free.computeIfAbsent(b.size(), size -> new ArrayDeque<>()).poll();
    if (left == null) {
      b.row = n;
      n += b.size();
      grow(n);
    } else {
      b.row = left;
    }
    used += b.size();
    Arrays.fill(memberOf, b.row, b.row + b.size(), b);
    refresh(b);
  }

  private void giveUp() {
    for (StateEstimate m : memberOf) {
      if (m != null) {
        m.row = StateEstimate.NOT_JOINT;
      }
    }
    n = 0;
    used = 0;
    p = new double[0][0];
    memberOf = new StateEstimate[0];
    free.clear();
  }

  private void grow(int size) {
    if (size > p.length) {
      int old = p.length;
      int room = Math.max(size, Math.min(2 * old, old + 256)); // pages cost, once touched
      memberOf = Arrays.copyOf(memberOf, room);
      p = Arrays.copyOf(p, room);
      for (int i = 0; i < room; i++) {
        p[i] = i < old ? Arrays.copyOf(p[i], room) : new double[room];
      }
    }
  }

  /**
   * Forgets a member; exact, for a Gaussian. Its rows wait for the next member of its size: moving
   * all others together each time cost more than all updates where pods live for minutes.
   */
  void drop(StateEstimate b) {
    if (b.row == StateEstimate.NOT_JOINT) {
      return;
    }
    int end = b.row + b.size();
    for (int i = b.row; i < end; i++) {
      Arrays.fill(p[i], 0, n, 0);
    }
    for (int i = 0; i < n; i++) {
      Arrays.fill(p[i], b.row, end, 0);
    }
    Arrays.fill(memberOf, b.row, end, null);
    free.computeIfAbsent(b.size(), size -> new ArrayDeque<>()).push(b.row);
    used -= b.size();
    b.row = StateEstimate.NOT_JOINT;
    if (n - used > MAX_FREE) {
      compact();
    }
  }

  /** Moves the rows in use together: updates walk over free ones, too. */
  private void compact() {
    int[] kept = IntStream.range(0, n).filter(i -> memberOf[i] != null).toArray();
    for (int k = 0; k < kept.length; k++) {
      double[] row = p[kept[k]];
      for (int j = 0; j < kept.length; j++) {
        row[j] = row[kept[j]];
      }
      Arrays.fill(row, kept.length, n, 0);
      p[kept[k]] = p[k]; // free, or moved from: all zero
      p[k] = row;
    }
    for (int k = 0; k < kept.length; k++) {
      StateEstimate m = Objects.requireNonNull(memberOf[kept[k]]);
      m.row = k == 0 || memberOf[k - 1] != m ? k : m.row;
      memberOf[k] = m;
    }
    Arrays.fill(memberOf, kept.length, n, null);
    n = kept.length;
    free.clear();
  }

  /** Copies a member's own block in, after it has been predicted to another time. */
  void refresh(StateEstimate b) {
    if (b.row != StateEstimate.NOT_JOINT) {
      for (int i = 0; i < b.size(); i++) {
        System.arraycopy(b.covariance, i * b.size(), p[b.row + i], b.row, b.size());
      }
    }
  }

  /** One number of a member has decayed by a factor: so have its covariances with the others. */
  void decay(StateEstimate b, int i, double keep) {
    if (b.row != StateEstimate.NOT_JOINT) {
      int row = b.row + i;
      for (int j = 0; j < n; j++) {
        p[row][j] *= keep;
        p[j][row] *= keep;
      }
    }
  }

  /**
   * Copies what the moved rows say of their covariance with the others into these. A few of the
   * others at a time: read and written one by one, each number would be on a line of memory of its
   * own.
   */
  private void mirror(int[] moved, int movedCount, int[] still, int stillCount) {
    for (int from = 0; from < stillCount; from += BLOCK) {
      int to = Math.min(stillCount, from + BLOCK);
      for (int b = 0; b < movedCount; b++) {
        int column = moved[b];
        double[] row = p[column];
        for (int a = from; a < to; a++) {
          p[still[a]][column] = row[still[a]];
        }
      }
    }
  }

  /** Length of a gain: rows in use, and free ones between them. */
  int size() {
    return n;
  }

  /** Rows in use. */
  int used() {
    return used;
  }

  /** Adds {@code P x} for a member's regressor to {@code gain}, {@code [size]}. */
  void addGain(StateEstimate b, double[] x, double[] gain) {
    for (int k = 0; k < x.length; k++) {
      if (x[k] != 0) {
        addScaled(gain, x[k], p[b.row + k], n);
      }
    }
  }

  /** {@code to += scale * from}: alone in a loop, as the compiler makes vectors of nothing else. */
  private static void addScaled(double[] to, double scale, double[] from, int n) {
    for (int i = 0; i < n; i++) {
      to[i] += scale * from[i];
    }
  }

  /**
   * Measurement update by the observation's gain. Rows that it hardly concerns keep their value,
   * but their covariance with the others follows: a Schmidt-Kalman update, which cannot turn a
   * variance negative as plainly skipping them would.
   */
  void update(double[] gain, double step, double variance) {
    int[] moved = new int[n];
    int[] still = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (gain[i] * gain[i] <= MIN_CORRELATION * variance * p[i][i]) {
        still[i - count] = i;
      } else {
        moved[count++] = i;
      }
    }
    for (int a = 0; a < count; a++) {
      int i = moved[a];
      double[] row = p[i];
      addScaled(row, -gain[i] / variance, gain, n);
      row[i] = Math.max(row[i], MIN_VARIANCE);
    }
    mirror(moved, count, still, n - count);
    for (int next = 0; next < count; ) {
      // A free row has no covariance with any other, and so never moves.
      StateEstimate m = Objects.requireNonNull(memberOf[moved[next]]);
      for (; next < count && moved[next] < m.row + m.size(); next++) {
        m.mean[moved[next] - m.row] += gain[moved[next]] * step;
      }
      m.version++;
      for (int i = 0; i < m.size(); i++) {
        System.arraycopy(p[m.row + i], m.row, m.covariance, i * m.size(), m.size());
      }
    }
  }
}
