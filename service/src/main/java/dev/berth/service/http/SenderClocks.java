package dev.berth.service.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far this machine's clock is ahead of those of who sends events. What a message takes on its
 * way looks the same, so it is the least that the sender's last messages show: else a message that
 * was late would be dated later than one that was sent after it. Thread-safe.
 */
final class SenderClocks {
  /** Clocks that differ by less are the same: a message is on its way for a while. */
  private static final double SAME_CLOCK_SECONDS = 1;

  /** A clock that was put back is believed after so long, or twice that. */
  static final double SPAN_SECONDS = 60;

  /** Every process of a scheduler has a name of its own: the newest are kept. */
  private static final int MOST_SENDERS = 64;

  private final Map<String, Least> senders = new LinkedHashMap<>(16, 0.75f, true);

  /** The least difference of a span, and of the one before. */
  private record Least(double began, double least, double before) {
    double ofBoth() {
      return Math.min(least, before);
    }

    Least with(double difference, double now) {
      if (now < began + SPAN_SECONDS && now >= began) {
        return new Least(began, Math.min(least, difference), before);
      }
      boolean next = now >= began && now < began + 2 * SPAN_SECONDS;
      return new Least(now, difference, next ? least : Double.POSITIVE_INFINITY);
    }
  }

  /**
   * A message came.
   *
   * @param sender empty where it does not say: then the message stands for itself
   * @param sentAt by the sender's clock, seconds since the epoch
   * @param now by this machine's
   * @return seconds that this machine's clock is ahead
   */
  synchronized double ahead(String sender, double sentAt, double now) {
    double difference = now - sentAt;
    if (!sender.isEmpty()) {
      Least known = senders.get(sender);
      Least least =
          known == null
              ? new Least(now, difference, Double.POSITIVE_INFINITY)
              : known.with(difference, now);
      senders.put(sender, least);
      if (senders.size() > MOST_SENDERS) {
        senders.remove(senders.keySet().iterator().next());
      }
      difference = least.ofBoth();
    }
    return Math.abs(difference) > SAME_CLOCK_SECONDS ? difference : 0;
  }
}
