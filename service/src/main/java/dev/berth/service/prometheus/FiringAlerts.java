package dev.berth.service.prometheus;

import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.operator.Printable;
import dev.berth.service.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of Berth's alerts fire, as Prometheus says; asked every 15 seconds. Thread-safe. */
public final class FiringAlerts implements AutoCloseable {
  static final String QUERY = "ALERTS{alertname=~\"Berth.+\",alertstate=\"firing\"}";
  private static final Logger log = LoggerFactory.getLogger(FiringAlerts.class);
  private static final String WHAT = "the query of alerts";
  private static final Duration PERIOD = Duration.ofSeconds(15);

  /** What is told of them: anybody whose series Prometheus takes may call one an alert. */
  private static final int MOST_ALERTS = 100;

  private static final int MOST_LABELS = 20;
  private static final int MOST_CHARACTERS = 200;

  /** Labels that are the same of every alert, or told apart. */
  private static final Set<String> KNOWN =
      Set.of("__name__", "alertname", "alertstate", "severity");

  private final PrometheusClient client;
  private final FaultLog faults = new FaultLog(log);
  private final ScheduledExecutorService timer;
  private volatile @Nullable List<Alert> firing;

  /**
   * One of them.
   *
   * @param labels whom it is about; empty where it is about all
   */
  public record Alert(String name, String severity, Map<String, String> labels) {

    static Alert of(Series series) {
      Map<String, String> labels = new TreeMap<>();
      series.labels().entrySet().stream()
          .filter(label -> !KNOWN.contains(label.getKey()))
          .limit(MOST_LABELS)
          .forEach(label -> labels.put(shown(label.getKey()), shown(label.getValue())));
      return new Alert(
          shown(series.labels().getOrDefault("alertname", "")),
          shown(series.labels().getOrDefault("severity", "")),
          labels);
    }

    private static String shown(String text) {
      return Printable.text(text, MOST_CHARACTERS);
    }
  }

  public FiringAlerts(PrometheusConfig config, Tasks tasks) {
    client = new PrometheusClient(config);
    timer = tasks.atRate("alerts", PERIOD, this::ask);
  }

  private void ask() {
    try {
      List<Alert> alerts = new ArrayList<>();
      client.query(
          QUERY,
          PrometheusClient.MOST_BYTES,
          series -> {
            if (alerts.size() < MOST_ALERTS) {
              alerts.add(Alert.of(series));
            }
          });
      alerts.sort(Comparator.comparing(Alert::name).thenComparing(a -> a.labels().toString()));
      firing = List.copyOf(alerts);
      faults.fine(WHAT);
    } catch (QueryException e) {
      firing = null;
      faults.failing(WHAT, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Null while nobody knows. */
  public @Nullable List<Alert> firing() {
    return firing;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
