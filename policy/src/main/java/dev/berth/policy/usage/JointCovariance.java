package dev.berth.policy.usage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

  private final List<StateEstimate> members = new ArrayList<>();
  private double[][] p = new double[64][64];
  private int n;
  private boolean outgrown;

  /** Makes the estimate a member, if there is room. */
  void admit(StateEstimate b) {
    if (b.row != StateEstimate.NOT_JOINT || outgrown) {
      return;
    }
    if (n + b.size() > MAX_ROWS) {
      outgrown = true;
      members.forEach(m -> m.row = StateEstimate.NOT_JOINT);
      members.clear();
      n = 0;
      p = new double[0][0];
      return;
    }
    grow(n + b.size());
    b.row = n;
    n += b.size();
    for (int i = b.row; i < n; i++) {
      Arrays.fill(p[i], 0, n, 0);
      for (int j = 0; j < b.row; j++) {
        p[j][i] = 0;
      }
    }
    members.add(b);
    refresh(b);
  }

  private void grow(int size) {
    if (size > p.length) {
      int old = p.length;
      int room = Math.max(size, 2 * old);
      p = Arrays.copyOf(p, room);
      for (int i = 0; i < room; i++) {
        p[i] = i < old ? Arrays.copyOf(p[i], room) : new double[room];
      }
    }
  }

  /** Forgets a member; exact, for a Gaussian. */
  void drop(StateEstimate b) {
    if (b.row == StateEstimate.NOT_JOINT) {
      return;
    }
    int from = b.row + b.size();
    for (int i = 0; i < n; i++) {
      System.arraycopy(p[i], from, p[i], b.row, n - from);
    }
    double[][] freed = Arrays.copyOfRange(p, b.row, from);
    System.arraycopy(p, from, p, b.row, n - from);
    System.arraycopy(freed, 0, p, n - freed.length, freed.length);
    n -= b.size();
    members.remove(b);
    for (StateEstimate m : members) {
      m.row -= m.row > b.row ? b.size() : 0;
    }
    b.row = StateEstimate.NOT_JOINT;
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

  int size() {
    return n;
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
    int next = 0;
    for (StateEstimate m : members) {
      int from = next;
      for (; next < count && moved[next] < m.row + m.size(); next++) {
        m.mean[moved[next] - m.row] += gain[moved[next]] * step;
      }
      if (next > from) {
        m.version++;
        for (int i = 0; i < m.size(); i++) {
          System.arraycopy(p[m.row + i], m.row, m.covariance, i * m.size(), m.size());
        }
      }
    }
  }
}
