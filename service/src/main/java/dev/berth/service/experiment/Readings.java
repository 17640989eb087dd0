package dev.berth.service.experiment;

import dev.berth.policy.evidence.SwitchbackMeasure;
import dev.berth.policy.predict.NowCheck;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes a reading of the measures of every snapshot with news: without a sample that a forecast
 * could be held against, nothing was measured anew. None is made while nobody wants one. Thread
 * rule: one thread.
 */
public final class Readings {
  private final Supplier<NowCheck.Totals> forecasts;
  private final BooleanSupplier wanted;
  private final Consumer<double[]> sink;
  private NowCheck.Totals before = NowCheck.Totals.NONE;

  public Readings(
      Supplier<NowCheck.Totals> forecasts, BooleanSupplier wanted, Consumer<double[]> sink) {
    this.forecasts = forecasts;
    this.wanted = wanted;
    this.sink = sink;
  }

  /**
   * The samples of a snapshot were taken in.
   *
   * @param nodes their CPU used as a share of the node, {@code [nodes]}
   */
  public void observed(Supplier<double[]> nodes) {
    NowCheck.Totals now = forecasts.get();
    double errors = now.absolute() - before.absolute();
    long compared = now.compared() - before.compared();
    before = now;
    if (compared == 0 || !wanted.getAsBoolean()) {
      return;
    }
    double[] usage = nodes.get();
    if (usage.length >= 2) {
      double[] seen = SwitchbackMeasure.ofUsage(usage);
      sink.accept(new double[] {seen[0], seen[1], errors / compared});
    }
  }
}
