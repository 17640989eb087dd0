package dev.berth.workbench.metrics;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** One component's {@code /metrics} page, read at this instant rather than at the last scrape. */
public final class MetricsPage {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? (\\S+)(?: \\d+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private record Sample(String name, Map<String, String> labels, double value) {}

  private final List<Sample> samples = new ArrayList<>();

  private MetricsPage() {}

  /** Reads a page on loopback; its certificate is the component's own and is not checked. */
  public static MetricsPage read(String url) throws IOException, InterruptedException {
    if (!URI.create(url).getHost().equals("127.0.0.1")) {
      throw new IllegalArgumentException(url + " is not on loopback");
    }
    // Kubernetes' servers end idle HTTP/2 connections with a GOAWAY that the JDK reports as an
    // error.
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(trustingAll())
            .build();
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(url + " answers " + answer.statusCode());
    }
    return parse(answer.body());
  }

  /** Reads the exposition format. */
  public static MetricsPage parse(String text) {
    MetricsPage page = new MetricsPage();
    for (String line : text.split("\n")) {
      Matcher m = SAMPLE.matcher(line);
      if (!line.startsWith("#") && m.matches()) {
        Map<String, String> labels = new HashMap<>();
        if (m.group(2) != null) {
          Matcher label = LABEL.matcher(m.group(2));
          while (label.find()) {
            labels.put(label.group(1), label.group(2));
          }
        }
        page.samples.add(new Sample(m.group(1), labels, number(m.group(3))));
      }
    }
    return page;
  }

  /** Sum over the series of a name; NaN when there is none. */
  public double sum(String name) {
    return samples.stream()
        .filter(s -> s.name().equals(name))
        .mapToDouble(Sample::value)
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  /** Sum over the series of a name with a certain label; 0 when there is none. */
  public double value(String name, String label, String value) {
    return samples.stream()
        .filter(s -> s.name().equals(name) && value.equals(s.labels().get(label)))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** The series of a name by one of their labels, added up where they differ in others. */
  public Map<String, Double> byLabel(String name, String label) {
    Map<String, Double> all = new TreeMap<>();
    for (Sample s : samples) {
      if (s.name().equals(name)) {
        all.merge(s.labels().getOrDefault(label, ""), s.value(), Double::sum);
      }
    }
    return all;
  }

  /**
   * A quantile of a classic histogram, all its series together, linear within the bucket as
   * PromQL's {@code histogram_quantile} has it; NaN when it is empty.
   */
  public double quantile(String name, double q) {
    TreeMap<Double, Double> buckets = new TreeMap<>();
    for (Sample s : samples) {
      if (s.name().equals(name + "_bucket")) {
        buckets.merge(number(s.labels().getOrDefault("le", "NaN")), s.value(), Double::sum);
      }
    }
    double total = buckets.isEmpty() ? 0 : buckets.lastEntry().getValue();
    if (total == 0) {
      return Double.NaN;
    }
    double lower = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      double upper = bucket.getKey();
      double upTo = bucket.getValue();
      if (upTo >= q * total) {
        return Double.isInfinite(upper)
            ? lower
            : lower + (upper - lower) * (q * total - below) / (upTo - below);
      }
      lower = upper;
      below = upTo;
    }
    return lower;
  }

  private static double number(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  private static SSLContext trustingAll() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** For loopback only: {@link #read} refuses any other address. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String auth, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String auth, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String auth, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String auth, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String auth) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String auth) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
