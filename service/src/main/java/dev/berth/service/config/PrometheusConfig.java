package dev.berth.service.config;

import java.net.URI;
import java.time.Duration;

/** Where measurements come from. */
public record PrometheusConfig(
    @Doc("Base address of Prometheus; empty runs without measurements.") String url,
    @Doc("Time between two pulls; the scrape interval is a good value.") Duration interval,
    @Doc("Longest wait for one query.") Duration timeout,
    @Doc("Window of the rate queries, put in the place of `$window`; at least 4 scrapes.")
        Duration window,
    @Doc("File with a bearer token for Prometheus; empty sends none.") String tokenFile,
    NodeNames nodes,
    Queries queries) {

  public PrometheusConfig {
    if (!url.isEmpty()) {
      Check.that(isHttp(url), "url", "an http:// or https:// address, or empty", url);
    }
    Check.positive(interval, "interval");
    Check.positive(timeout, "timeout");
    Check.positive(window, "window");
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The defaults with another address. */
  public static PrometheusConfig at(String url) {
    PrometheusConfig d = defaults();
    return new PrometheusConfig(
        url, d.interval(), d.timeout(), d.window(), d.tokenFile(), d.nodes(), d.queries());
  }

  static PrometheusConfig defaults() {
    return new PrometheusConfig(
        "",
        Duration.ofSeconds(5),
        Duration.ofSeconds(3),
        Duration.ofMinutes(1),
        "",
        NodeNames.defaults(),
        Queries.defaults());
  }
}
