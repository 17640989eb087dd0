package dev.berth.policy.file;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/** What somebody meant who wrote a name that nothing has. */
public final class NearestName {
  private static final int MAX_DISTANCE = 2;

  private NearestName() {}

  /** {@code "; did you mean X?"}, or nothing where no name is near. */
  public static String suggestion(String name, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(k -> distance(name, k)))
        .filter(k -> distance(name, k) <= Math.min(MAX_DISTANCE, name.length() - 1))
        .map(k -> "; did you mean " + k + "?")
        .orElse("");
  }

  /** Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
