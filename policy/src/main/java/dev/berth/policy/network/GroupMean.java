package dev.berth.policy.network;

import java.util.HashMap;
import java.util.Map;

/**
 * The linear map that message passing begins with: every valid row gets the mean of the valid
 * members of its group, a row without a group zeros. Its matrix is symmetric, for the rows of a
 * group share one mean, so it is also what takes gradients back.
 *
 * <p>Thread rule: stateless; safe to share.
 */
final class GroupMean {
  private GroupMean() {}

  /**
   * @param h {@code [rows][width]}
   * @return {@code [rows][width]}
   */
  static Matrix of(Rows rows, NetworkSpec.Group g, Matrix h, Workspace space) {
    int width = h.width();
    Matrix out = space.matrix(h.height(), width).clear();
    int[] group = rows.group(g);
    for (int d = 0; d < rows.decisions(); d++) {
      Map<Integer, float[]> sums = new HashMap<>();
      for (int i = d * rows.width(); i < (d + 1) * rows.width(); i++) {
        int id = g == NetworkSpec.Group.ALL ? 0 : group[i];
        if (rows.valid()[i] && id >= 0) {
          // The last entry counts the members.
          float[] sum = sums.computeIfAbsent(id, x -> new float[width + 1]);
          float[] row = h.row(i);
          for (int j = 0; j < width; j++) {
            sum[j] += row[j];
          }
          sum[width]++;
        }
      }
      for (int i = d * rows.width(); i < (d + 1) * rows.width(); i++) {
        int id = g == NetworkSpec.Group.ALL ? 0 : group[i];
        float[] sum = rows.valid()[i] && id >= 0 ? sums.get(id) : null;
        if (sum != null) {
          float[] row = out.row(i);
          for (int j = 0; j < width; j++) {
            row[j] = sum[j] / sum[width];
          }
        }
      }
    }
    return out;
  }
}
