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
    @Doc(
            "Usage of pods, from cAdvisor's series: `auto` learns from it where Prometheus has them,"
                + " `off` never asks.")
        String pods,
    NodeNames nodes,
    Queries queries) {

  public PrometheusConfig {
    if (!url.isEmpty()) {
      String shown = url.replaceFirst("//.*@", "//...@");
      Check.that(isHttp(url), "url", "an http:// or https:// address, or empty", shown);
      // It stands in the log and in /readyz, and Java's client would send nobody a password.
      Check.that(!url.contains("@"), "url", "without user and password: use token-file", shown);
    }
    Check.positive(interval, "interval");
    Check.positive(timeout, "timeout");
    Check.positive(window, "window");
    Check.that(pods.equals("auto") || pods.equals("off"), "pods", "auto or off", pods);
  }

  /** Whether usage of pods is asked for. */
  public boolean asksForPods() {
    return pods.equals("auto") && !queries.podCpuSeconds().isBlank();
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
        url,
        d.interval(),
        d.timeout(),
        d.window(),
        d.tokenFile(),
        d.pods(),
        d.nodes(),
        d.queries());
  }

  static PrometheusConfig defaults() {
    return new PrometheusConfig(
        "",
        Duration.ofSeconds(5),
        Duration.ofSeconds(3),
        Duration.ofMinutes(1),
        "",
        "auto",
        NodeNames.defaults(),
        Queries.defaults());
  }
}
