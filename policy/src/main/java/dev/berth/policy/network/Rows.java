package dev.berth.policy.network;

import java.util.Arrays;

/**
 * Input rows of a forward pass: the candidates of one or more decisions, each decision padded to
 * the same width.
 *
 * @param decisions number of decisions
 * @param width rows per decision, padding included
 * @param features {@code [decisions * width * inputs]}
 * @param valid {@code [decisions * width]}, false for padding
 * @param racks group id of a row's rack within its decision, -1 for none, {@code [decisions *
 *     width]}
 * @param zones the same for zones
 */
public record Rows(
    int decisions, int width, float[] features, boolean[] valid, int[] racks, int[] zones) {

  public Rows {
    int n = decisions * width;
    if (valid.length != n || racks.length != n || zones.length != n) {
      throw new IllegalArgumentException(
          "want "
              + n
              + " rows, got valid "
              + valid.length
              + ", racks "
              + racks.length
              + ", zones "
              + zones.length);
    }
  }

  /** Rows without groups, all valid, as one decision. */
  public static Rows plain(float[] features, int inputs) {
    int n = features.length / inputs;
    boolean[] valid = new boolean[n];
    Arrays.fill(valid, true);
    int[] none = new int[n];
    Arrays.fill(none, -1);
    return new Rows(1, n, features, valid, none, none);
  }

  public int size() {
    return decisions * width;
  }

  /** The same rows with other features, {@code [size * inputs]}. */
  public Rows with(float[] other) {
    return new Rows(decisions, width, other, valid, racks, zones);
  }

  int[] group(NetworkSpec.Group g) {
    return switch (g) {
      case RACK -> racks;
      case ZONE -> zones;
      case ALL -> new int[0];
    };
  }

  /**
   * Row-normalised membership of a group, for tensor engines: entry (i, j) of decision d is 1/size
   * of the group of row i where row j is a valid member of it, {@code [decisions * width * width]}.
   */
  public float[] membership(NetworkSpec.Group g) {
    float[] m = new float[decisions * width * width];
    int[] group = group(g);
    for (int d = 0; d < decisions; d++) {
      for (int i = 0; i < width; i++) {
        int row = d * width + i;
        if (!valid[row] || (g != NetworkSpec.Group.ALL && group[row] < 0)) {
          continue;
        }
        int members = 0;
        for (int j = 0; j < width; j++) {
          members += member(g, group, row, d * width + j) ? 1 : 0;
        }
        for (int j = 0; j < width; j++) {
          if (member(g, group, row, d * width + j)) {
            m[row * width + j] = 1f / members;
          }
        }
      }
    }
    return m;
  }

  private boolean member(NetworkSpec.Group g, int[] group, int row, int other) {
    return valid[other] && (g == NetworkSpec.Group.ALL || group[other] == group[row]);
  }
}
