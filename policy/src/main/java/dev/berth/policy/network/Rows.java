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
 * @param groups a row's group within its decision, -1 for none, {@code [NAMED][decisions * width]}
 *     in the order of {@link NetworkSpec.Group}
 */
public record Rows(int decisions, int width, float[] features, boolean[] valid, int[][] groups) {
  /** Kinds of groups that rows must name; {@link NetworkSpec.Group#ALL} needs no names. */
  public static final int NAMED = NetworkSpec.Group.ALL.ordinal();

  public Rows {
    int n = decisions * width;
    if (valid.length != n
        || groups.length != NAMED
        || Arrays.stream(groups).anyMatch(g -> g.length != n)) {
      throw new IllegalArgumentException(
          "want "
              + n
              + " rows in "
              + NAMED
              + " kinds of groups, got valid "
              + valid.length
              + ", groups "
              + Arrays.stream(groups).map(g -> g.length).toList());
    }
  }

  /** Rows without groups, all valid, as one decision. */
  public static Rows plain(float[] features, int inputs) {
    int n = features.length / inputs;
    boolean[] valid = new boolean[n];
    Arrays.fill(valid, true);
    return new Rows(1, n, features, valid, noGroups(n));
  }

  /** Groups of rows that have none, {@code [NAMED][rows]}. */
  public static int[][] noGroups(int rows) {
    int[][] none = new int[NAMED][rows];
    for (int[] g : none) {
      Arrays.fill(g, -1);
    }
    return none;
  }

  public int size() {
    return decisions * width;
  }

  /** The same rows with other features, {@code [size * inputs]}. */
  public Rows with(float[] other) {
    return new Rows(decisions, width, other, valid, groups);
  }

  int[] group(NetworkSpec.Group g) {
    return g == NetworkSpec.Group.ALL ? new int[0] : groups[g.ordinal()];
  }
}
