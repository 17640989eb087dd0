package dev.berth.simulator.usage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Recorded usage: series on one grid, no two of a pod at the same time. */
public final class History {
  private final String name;
  private final List<Series> series;
  private final int print;

  private History(String name, List<Series> series) {
    this.name = name;
    this.series = List.copyOf(series);
    int hash = 0;
    for (Series s : series) {
      hash = 31 * hash + s.owner().hashCode() + s.pod().hashCode() + Double.hashCode(s.from());
      hash = 31 * hash + Arrays.hashCode(s.cores()) + Arrays.hashCode(s.bytes());
    }
    this.print = hash;
  }

  public List<Series> series() {
    return series;
  }

  public double stepSeconds() {
    return series.get(0).stepSeconds();
  }

  /** Length of its longest series. */
  public double longestSeconds() {
    return series.stream().mapToDouble(s -> s.to() - s.from()).max().orElseThrow();
  }

  /** Where it came from, for messages. */
  public String name() {
    return name;
  }

  /** Names content and not place: results of another history must not be taken for this one's. */
  @Override
  public String toString() {
    return "history %08x of %d series".formatted(print, series.size());
  }

  /** Collects series and refuses what does not fit together. */
  public static final class Builder {
    private final List<Series> series = new ArrayList<>();
    private final Map<String, List<Series>> pods = new HashMap<>();

    /**
     * Adds one.
     *
     * @throws IllegalArgumentException when it has another step than those before, or overlaps one
     *     of its pod
     */
    public Builder add(Series s) {
      if (!series.isEmpty() && series.get(0).stepSeconds() != s.stepSeconds()) {
        throw new IllegalArgumentException(
            "a step of %.0f s, those before have %.0f s: one history has one step; import it again"
                .formatted(s.stepSeconds(), series.get(0).stepSeconds()));
      }
      List<Series> mine = pods.computeIfAbsent(s.owner() + "\n" + s.pod(), k -> new ArrayList<>());
      for (Series other : mine) {
        if (s.from() < other.to() && other.from() < s.to()) {
          throw new IllegalArgumentException(
              "pod %s of %s is recorded twice from %.0f on: keep one of the two"
                  .formatted(s.pod(), s.owner(), Math.max(s.from(), other.from())));
        }
      }
      mine.add(s);
      series.add(s);
      return this;
    }

    public int size() {
      return series.size();
    }

    /**
     * The history.
     *
     * @throws IllegalArgumentException when it is empty
     */
    public History build(String name) {
      if (series.isEmpty()) {
        throw new IllegalArgumentException(name + ": no series in it");
      }
      return new History(name, series);
    }
  }
}
