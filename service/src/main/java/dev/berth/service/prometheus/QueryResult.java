package dev.berth.service.prometheus;

import java.util.List;

/**
 * The answer to one query.
 *
 * @param evaluatedAt seconds on Prometheus' clock, NaN when there is no series
 * @param warnings what Prometheus says is missing from the result; empty when it is complete
 */
public record QueryResult(List<Series> series, double evaluatedAt, List<String> warnings) {}
