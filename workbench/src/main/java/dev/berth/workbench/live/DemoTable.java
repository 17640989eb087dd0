package dev.berth.workbench.live;

import java.util.Locale;
import java.util.stream.Collectors;

/** The demo's result as people read it. */
final class DemoTable {
  private final StringBuilder out = new StringBuilder();

  private DemoTable() {}

  static String of(DemoResult r) {
    return new DemoTable().write(r);
  }

  private String write(DemoResult r) {
    Turn stock = r.stock();
    Turn berth = r.berth();
    out.append(String.format("%-36s %12s %12s %14s%n", "", "stock", "berth", "difference"));
    row("pods bound", stock.podsBound(), berth.podsBound());
    row("pods pending", stock.podsPending(), berth.podsPending());
    share("CPU used, std over nodes", stock.cpuUsage().std(), berth.cpuUsage().std());
    share(
        "  the same list on the virtual clock",
        r.simulated().stock().std(),
        r.simulated().berth().std());
    ratio(
        "  live over simulated",
        stock.cpuUsage().std() / r.simulated().stock().std(),
        berth.cpuUsage().std() / r.simulated().berth().std());
    share("  live, over the whole turn", stock.wholeTurnStd(), berth.wholeTurnStd());
    share("CPU used, highest node", stock.cpuUsage().max(), berth.cpuUsage().max());
    share("CPU used, mean", stock.cpuUsage().mean(), berth.cpuUsage().mean());
    share("node time above 80 %", stock.cpuUsage().hotShare(), berth.cpuUsage().hotShare());
    share("CPU requested, std over nodes", stock.cpuRequestStd(), berth.cpuRequestStd());
    out.append('\n').append(r.verdict()).append('\n');
    Twin.Result twin = r.simulated().stock();
    Twin.Result berthTwin = r.simulated().berth();
    if (!Double.isNaN(twin.std())) {
      out.append(
          String.format(
              Locale.ROOT,
              "One run is an anecdote: on the virtual clock this list gives %.1f to %.1f %% under"
                  + " the stock scheduler%nand %.1f to %.1f %% under Berth, by ties and timing"
                  + " alone.%n",
              100 * twin.low(),
              100 * twin.high(),
              100 * berthTwin.low(),
              100 * berthTwin.high()));
    }
    out.append('\n');
    line(
        "error of the forecast of now",
        percent(r.status().forecastErrorNow())
            + " live, "
            + percent(r.simulated().berth().forecastErrorNow())
            + " simulated (RMSE against the next samples, of a node)");
    line(
        "within 15 s of a bind",
        percent(r.status().forecastErrorJustBound())
            + " live, "
            + percent(r.simulated().berth().forecastErrorJustBound())
            + " simulated");
    line(
        "decided by",
        String.format(
            "service %d, other plugins %d, only one node fits %d",
            r.decidedBy().service(), r.decidedBy().fallback(), r.decidedBy().single()));
    line(
        "wait for scores",
        String.format(Locale.ROOT, "p50 %.1f ms, p99 %.1f ms", r.latencyP50(), r.latencyP99()));
    line(
        "learned from",
        r.experience().transitions()
            + " placements with a measured reward, "
            + (Double.isNaN(r.trainSteps()) ? "no" : String.valueOf((long) r.trainSteps()))
            + " training steps");
    line(
        "reward, mean of each fifth",
        r.experience().rewardTrend().stream()
            .map(reward -> String.format(Locale.ROOT, "%+.4f", reward))
            .collect(Collectors.joining("  ")));
    line("newer weights", r.status().newerWeights());
    if (!r.status().watched().isEmpty()) {
      line("weights that serve", r.status().watched());
    }
    line(
        "model versions that served",
        r.experience().modelVersions()
            + ", "
            + r.experience().servedByNewModel()
            + " pods by a newer one than the first");
    line(
        "time",
        String.format(
            Locale.ROOT,
            "%.0f s; the machine's load was %.1f before and %.1f at the end",
            r.seconds(),
            r.load().before(),
            r.load().end()));
    late(stock);
    late(berth);
    return out.toString();
  }

  private void late(Turn turn) {
    if (turn.late() > 0) {
      line(
          "not quite the same usage",
          "the " + turn.scheduler() + " turn began " + turn.late() + " s late in the model's day");
    }
  }

  private void row(String name, int stock, int berth) {
    out.append(String.format("%-36s %12d %12d%n", name, stock, berth));
  }

  private void share(String name, double stock, double berth) {
    out.append(String.format("%-36s %12s %12s", name, percent(stock), percent(berth)));
    if (stock > 0 && !Double.isNaN(berth)) {
      out.append(String.format(Locale.ROOT, " %+12.0f %%", 100 * (berth / stock - 1)));
    }
    out.append(String.format("%n"));
  }

  private void ratio(String name, double stock, double berth) {
    if (!Double.isNaN(stock)) {
      out.append(String.format(Locale.ROOT, "%-36s %12.2f %12.2f%n", name, stock, berth));
    }
  }

  private void line(String name, String value) {
    out.append(String.format("%-36s %s%n", name, value));
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
