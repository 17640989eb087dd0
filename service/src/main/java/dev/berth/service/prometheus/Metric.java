package dev.berth.service.prometheus;

import dev.berth.service.config.Queries;
import java.util.Locale;
import java.util.function.Function;

/** The quantities of a node, each with its query. */
public enum Metric {
  /** A counter; read together with the time of its scrape, see {@link Queries#cpuReading}. */
  CPU_SECONDS(Queries::cpuReading),
  CPU(Queries::cpu),
  MEMORY(Queries::memory),
  CONNECTIONS(Queries::connections),
  LATENCY(Queries::latency),
  SAMPLED_AT(Queries::sampledAt),
  CPU_CAPACITY(Queries::cpuCapacity),
  MEMORY_CAPACITY(Queries::memoryCapacity);

  private final Function<Queries, String> query;
  private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');

  Metric(Function<Queries, String> query) {
    this.query = query;
  }

  /** The key below {@code prometheus.queries}, also the label value in metrics and logs. */
  public String key() {
    return key;
  }

  String query(Queries queries) {
    return query.apply(queries);
  }
}
