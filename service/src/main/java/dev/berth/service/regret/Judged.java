package dev.berth.service.regret;

import dev.berth.policy.evidence.ClusteredGain;
import dev.berth.policy.evidence.Owners;
import dev.berth.service.store.Choice;
import org.jspecify.annotations.Nullable;

/**
 * Sums up choices, in the order of their time; memory does not grow with their number. Pods of one
 * owner are alike, and those of one hour met the same nodes in the same state: both depend on each
 * other, which {@link ClusteredGain} counts. Of a single owner the hours alone are told apart.
 */
final class Judged {
  private static final double WINDOW_SECONDS = 3600;

  /** A share is summed up around a half: owners that never agree tell as much as those that do. */
  private static final double HALF = 0.5;

  private final boolean oneOwner;
  private final ClusteredGain agreement = new ClusteredGain();
  private final ClusteredGain forecast = new ClusteredGain();
  private final ClusteredGain measured = new ClusteredGain();
  private final ClusteredGain gap = new ClusteredGain();
  private long pods;
  private long noOpinion;

  Judged(boolean oneOwner) {
    this.oneOwner = oneOwner;
  }

  void add(Choice c) {
    pods++;
    if (c.ours() == null) {
      noOpinion++;
      return;
    }
    long window = (long) Math.floor(c.at() / WINDOW_SECONDS);
    int cluster = oneOwner ? Long.hashCode(window) : Owners.hash(c.owner());
    agreement.add(cluster, window, c.ours().equals(c.node()) ? HALF : -HALF);
    add(forecast, cluster, window, c.forecast());
    add(measured, cluster, window, c.measured());
    add(gap, cluster, window, c.gap());
  }

  private static void add(ClusteredGain to, int cluster, long window, @Nullable Double value) {
    if (value != null) {
      to.add(cluster, window, value);
    }
  }

  Figures figures() {
    Mean agreed = Mean.of(agreement.estimate());
    return new Figures(
        pods,
        noOpinion,
        agreed == null ? null : agreed.plus(HALF),
        Mean.of(forecast.estimate()),
        Mean.of(measured.estimate()),
        Mean.of(gap.estimate()));
  }
}
