package dev.berth.simulator.scenario;

/**
 * How the scorer gets to see usage: the increase of a node's CPU counter from one scrape to the
 * next, or, with a window, what a rate query over it answers at every pull.
 *
 * @param scrapeSeconds interval between scrapes of a node
 * @param delaySeconds from scrape (or pull) to when the scorer sees it
 * @param loss share of scrapes that fail, 0..1
 * @param windowSeconds of the rate query; 0 for increases from scrape to scrape
 * @param pullSeconds between two rate queries
 * @param restartSeconds mean time between restarts of a node's exporter, whose counters then begin
 *     again at zero; infinity for never
 * @param pods whether every scrape of a node brings the usage of its pods, too, as cAdvisor's does
 */
public record MetricsSpec(
    double scrapeSeconds,
    double delaySeconds,
    double loss,
    double windowSeconds,
    double pullSeconds,
    double restartSeconds,
    boolean pods) {
  public static final MetricsSpec DEFAULT = new MetricsSpec(30, 10, 0.05);

  public MetricsSpec {
    if (!(scrapeSeconds >= 5) || !(delaySeconds >= 0) || !(loss >= 0 && loss < 1)) {
      throw new IllegalArgumentException(
          "metrics need scrape >= 5s, delay >= 0s and 0 <= loss < 100 %, got "
              + scrapeSeconds
              + ", "
              + delaySeconds
              + ", "
              + loss);
    }
    if (windowSeconds != 0 && !(windowSeconds >= 2 * scrapeSeconds)) {
      throw new IllegalArgumentException(
          "a rate over %s s never holds two scrapes of every %s s: use a window of at least %s s"
              .formatted(windowSeconds, scrapeSeconds, 2 * scrapeSeconds));
    }
    if (!(pullSeconds >= 5)) {
      throw new IllegalArgumentException(
          "pull is at least 5s, the simulator's tick, got " + pullSeconds);
    }
    if (!(restartSeconds > 0)) {
      throw new IllegalArgumentException("restarts must be apart, got every " + restartSeconds);
    }
  }

  /** Increases from scrape to scrape, of counters that never restart. */
  public MetricsSpec(double scrapeSeconds, double delaySeconds, double loss) {
    this(scrapeSeconds, delaySeconds, loss, 0, scrapeSeconds, Double.POSITIVE_INFINITY, false);
  }

  /** The same with or without usage of pods. */
  public MetricsSpec withPods(boolean measured) {
    return new MetricsSpec(
        scrapeSeconds, delaySeconds, loss, windowSeconds, pullSeconds, restartSeconds, measured);
  }

  /** Whether samples are answers of a rate query. */
  public boolean rates() {
    return windowSeconds > 0;
  }
}
