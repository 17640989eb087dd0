package dev.berth.service.prometheus;

import java.util.Map;

/**
 * One element of an instant vector.
 *
 * @param value as Prometheus gave it, NaN and infinities included
 */
public record Series(Map<String, String> labels, double value) {}
