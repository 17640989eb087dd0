package dev.berth.simulator.scenario;

/**
 * How the scorer gets to see usage.
 *
 * @param scrapeSeconds interval between scrapes of a node
 * @param delaySeconds from scrape to when the scorer sees it
 * @param loss share of scrapes that fail, 0..1
 */
public record MetricsSpec(double scrapeSeconds, double delaySeconds, double loss) {
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
  }
}
