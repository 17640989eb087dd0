package dev.berth.simulator.scenario;

/**
 * Something that goes wrong between two instants.
 *
 * @param node the node it happens to; {@code *} for all
 * @param from second it starts
 * @param to second it ends
 * @param amount clock-skew: seconds the node's clock is ahead; service-slow: share of decisions
 *     that miss the deadline, 0..1; otherwise unused
 */
public record Fault(Kind kind, String node, double from, double to, double amount) {

  /** What goes wrong. */
  public enum Kind {
    /** No scrape succeeds. */
    PROMETHEUS_DOWN,
    /** The node's exporter hangs: no scrape of this node succeeds. */
    STALE_NODE,
    /** Samples name {@code node:9100} instead of {@code node}. */
    LABEL_RENAME,
    /** Sample timestamps of the node are off by {@code amount} seconds. */
    CLOCK_SKEW,
    /** The exporter answers NaN. */
    NAN_SAMPLES,
    /** The scorer misses its deadline: the default profile places the pod. */
    SERVICE_SLOW
  }

  public Fault {
    if (to <= from) {
      throw new IllegalArgumentException("fault ends before it begins: set 'to' later than 'from'");
    }
    if (kind == Kind.SERVICE_SLOW && !(amount > 0 && amount <= 1)) {
      throw new IllegalArgumentException(
          "service-slow needs 'share' above 0 and at most 100 %, got " + amount);
    }
  }

  public boolean active(Kind wanted, String onNode, double t) {
    return kind == wanted && t >= from && t < to && (node.equals("*") || node.equals(onNode));
  }
}
