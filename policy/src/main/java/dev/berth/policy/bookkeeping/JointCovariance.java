package dev.berth.policy.bookkeeping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the beliefs about owners, pods and nodes hang together: once a sample has told two owners on
 * a node apart only in sum, learning about one says something about the other. Keeping these
 * correlations lowers the error of the forecast by 3 (now) to 9 % (in 50 minutes) on ten nodes
 * against treating owners apart.
 *
 * <p>Memory and time grow with the square of the members, so it gives up once they exceed {@link
 * #MOST} (about 30 nodes): large clusters see an owner in many mixtures, and there owners can be
 * told apart without it.
 */
final class JointCovariance {
  static final int MOST = 1200;

  /** Rows correlated less than this (squared) with an observation are left alone by it. */
  private static final double LEAST_CORRELATION = 1e-4;

  /** Rounding must not make anything certain: what is certain would never learn again. */
  private static final double LEAST_VARIANCE = 1e-8;

  private final List<Belief> members = new ArrayList<>();
  private double[][] p = new double[64][64];
  private int n;
  private boolean outgrown;

  /** Makes the belief a member, if there is room. */
  void admit(Belief b) {
    if (b.row != Belief.ALONE || outgrown) {
      return;
    }
    if (n + b.size() > MOST) {
      outgrown = true;
      members.forEach(m -> m.row = Belief.ALONE);
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
  void drop(Belief b) {
    if (b.row == Belief.ALONE) {
      return;
    }
    int from = b.row + b.size();
    for (int i = 0; i < n; i++) {
      System.arraycopy(p[i], from, p[i], b.row, n - from);
    }
    for (int i = from; i < n; i++) {
      System.arraycopy(p[i], 0, p[i - b.size()], 0, n);
    }
    n -= b.size();
    members.remove(b);
    for (Belief m : members) {
      m.row -= m.row > b.row ? b.size() : 0;
    }
    b.row = Belief.ALONE;
  }

  /** Copies a member's own block in, after it has changed by the passing of time. */
  void refresh(Belief b) {
    if (b.row != Belief.ALONE) {
      for (int i = 0; i < b.size(); i++) {
        System.arraycopy(b.covariance, i * b.size(), p[b.row + i], b.row, b.size());
      }
    }
  }

  /** One number of a member has faded by a factor: so have its covariances with the others. */
  void fade(Belief b, int i, double keep) {
    if (b.row != Belief.ALONE) {
      int row = b.row + i;
      for (int j = 0; j < n; j++) {
        p[row][j] *= keep;
        p[j][row] *= keep;
      }
    }
  }

  int size() {
    return n;
  }

  /** Adds {@code P x} for a member's regressor to {@code gain}, {@code [size]}. */
  void addGain(Belief b, double[] x, double[] gain) {
    for (int k = 0; k < x.length; k++) {
      double[] row = p[b.row + k];
      for (int i = 0; i < n && x[k] != 0; i++) {
        gain[i] += x[k] * row[i];
      }
    }
  }

  /**
   * Takes in one observation by its gain. Rows that it hardly concerns keep their value, but their
   * covariance with the others follows: a Schmidt-Kalman update, which cannot turn a variance
   * negative as plainly skipping them would.
   */
  void learn(double[] gain, double step, double variance) {
    int[] moved = new int[n];
    int count = 0;
    boolean[] still = new boolean[n];
    for (int i = 0; i < n; i++) {
      still[i] = gain[i] * gain[i] <= LEAST_CORRELATION * variance * p[i][i];
      if (!still[i]) {
        moved[count++] = i;
      }
    }
    for (int a = 0; a < count; a++) {
      int i = moved[a];
      double[] row = p[i];
      double share = gain[i] / variance;
      for (int j = 0; j < n; j++) {
        row[j] -= share * gain[j];
        if (still[j]) {
          p[j][i] = row[j];
        }
      }
      row[i] = Math.max(row[i], LEAST_VARIANCE);
    }
    int next = 0;
    for (Belief m : members) {
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
