/**
 * Measurements: a few bulk PromQL queries for all nodes, joined into one immutable snapshot.
 *
 * <p>Promises: a failed query is never a measurement; a value that is missing, NaN, infinite or
 * negative stays unknown; one bad query keeps the rest; every fault is counted, and logged once
 * when it begins and once when it ends; usage of pods is asked for apart from the nodes, which
 * never wait for it. Knows nothing of scoring.
 */
@NullMarked
package dev.berth.service.prometheus;

import org.jspecify.annotations.NullMarked;
