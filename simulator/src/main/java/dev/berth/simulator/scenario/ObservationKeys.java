package dev.berth.simulator.scenario;

import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.Units;
import org.jspecify.annotations.Nullable;

/** The keys of what a scorer observes: {@code metrics} and {@code outcomes}. */
final class ObservationKeys {
  private ObservationKeys() {}

  static MetricsSpec metrics(@Nullable StrictYaml y) {
    MetricsSpec d = MetricsSpec.DEFAULT;
    if (y == null) {
      return d;
    }
    double scrape = y.seconds("scrape", d.scrapeSeconds());
    double delay = y.seconds("delay", d.delaySeconds());
    double loss = y.share("loss", d.loss());
    double window = y.seconds("window", d.windowSeconds());
    if (window == 0 && y.has("pull")) {
      throw y.error("pull", "belongs to rates: add for example 'window: 1m'");
    }
    double pull = y.seconds("pull", scrape);
    double restarts = y.seconds("restarts", d.restartSeconds());
    boolean pods = y.scalar("pods", d.pods(), Units::truth);
    y.finish();
    return y.checked(
        "scrape", () -> new MetricsSpec(scrape, delay, loss, window, pull, restarts, pods));
  }

  static OutcomeSpec outcomes(@Nullable StrictYaml y) {
    OutcomeSpec d = OutcomeSpec.AT_ONCE;
    if (y == null) {
      return d;
    }
    var delay = Ranges.seconds(y, "delay", d.delaySeconds());
    double loss = y.share("loss", d.loss());
    double resync = y.seconds("resync", d.resyncSeconds());
    double offset = y.seconds("clock_offset", d.clockOffsetSeconds());
    boolean named = y.scalar("reservations", d.reservations(), Units::truth);
    y.finish();
    return y.checked("delay", () -> new OutcomeSpec(delay, loss, resync, offset, named));
  }
}
