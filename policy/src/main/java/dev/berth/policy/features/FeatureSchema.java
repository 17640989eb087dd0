package dev.berth.policy.features;

import dev.berth.policy.network.NetworkSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Names and order of the features of a row; its hash stands in every model file, so that a model is
 * never fed columns it was not trained on.
 *
 * <p>Every load is given as a value and as its deviation from the candidates' mean: a node alone
 * cannot know whether 0.5 is high.
 */
public final class FeatureSchema {
  /** Loads: fractions of the node, with and without the pod. */
  static final List<String> LOADS =
      List.of(
          "cpu0",
          "cpu5m",
          "cpu15m",
          "cpu30m",
          "cpu50m",
          "cpuRequest",
          "memoryRequest",
          "pods",
          "ownerRequest");

  static final List<String> NODE =
      List.of(
          "meanCpu",
          "trendCpu",
          "sampleAge",
          "stale",
          "absent",
          "capacityRatio",
          "slowness",
          "meanError");

  static final List<String> CONTEXT =
      List.of("clusterCpu", "clusterStd", "podFraction", "podSurvival", "ownerStd");

  /** Features per row. */
  public static final int SIZE = 2 * LOADS.size() + NODE.size() + CONTEXT.size();

  /** Columns that say how a candidate compares with the others. */
  static final int[] COMPARISONS =
      IntStream.range(0, SIZE)
          .filter(
              k -> {
                String name = names().get(k);
                return name.endsWith(".deviation") || name.startsWith("cluster");
              })
          .toArray();

  private FeatureSchema() {}

  /** All names in order. */
  public static List<String> names() {
    ArrayList<String> all = new ArrayList<>();
    for (String load : LOADS) {
      all.add(load);
      all.add(load + ".deviation");
    }
    all.addAll(NODE);
    all.addAll(CONTEXT);
    return List.copyOf(all);
  }

  /** The columns of each feature, a load's value and its deviation together. */
  public static Map<String, int[]> columns() {
    Map<String, int[]> columns = new LinkedHashMap<>();
    int at = 0;
    for (String load : LOADS) {
      columns.put(load, new int[] {at++, at++});
    }
    for (String single : names().subList(at, SIZE)) {
      columns.put(single, new int[] {at++});
    }
    return columns;
  }

  /** Hash of names and order, of the columns and of the groups of message passing. */
  public static long hash() {
    CRC32C crc = new CRC32C();
    String groups = Arrays.toString(NetworkSpec.Group.values());
    crc.update((String.join(",", names()) + groups).getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }
}
