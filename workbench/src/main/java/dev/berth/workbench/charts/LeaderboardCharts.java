package dev.berth.workbench.charts;

import dev.berth.simulator.experiment.Comparison;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.Results;
import dev.berth.simulator.statistics.Summary;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Pictures of a leaderboard. */
public final class LeaderboardCharts {
  private static final String STOCK = "default";
  private static final Color SEEN = new Color(0x9BB8D3);
  private static final Color UNSEEN = new Color(0x1F5A92);

  private LeaderboardCharts() {}

  /** Cost relative to the default profile, per policy, trained and unseen scenarios apart. */
  public static void overview(Results results, Path file) throws IOException {
    Comparison cost = new Comparison(results, Metric.COST);
    List<String> policies = new ArrayList<>(results.policies());
    policies.removeIf(p -> p.equals(STOCK));
    policies.sort(Comparator.comparingDouble(p -> cost.against(p, STOCK, s -> true).relative()));
    if (policies.isEmpty() || !results.policies().contains(STOCK)) {
      return;
    }
    CategoryChart chart =
        chart(
            "Cost against the default profile, mean over scenarios",
            "%",
            90 + 85 * policies.size());
    for (boolean seen : new boolean[] {true, false}) {
      var which = Comparison.seen(results, seen);
      if (results.scenarios().stream().anyMatch(which)) {
        List<Double> bars =
            policies.stream().map(p -> 100 * cost.against(p, STOCK, which).relative()).toList();
        chart
            .addSeries(seen ? "seen in training" : "never seen", policies, bars)
            .setFillColor(seen ? SEEN : UNSEEN);
      }
    }
    chart.getStyler().setLabelsVisible(true).setAvailableSpaceFill(0.7);
    chart.getStyler().setDecimalPattern("#0");
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  /** Paired difference to the default profile, per scenario, of a few policies. */
  public static void scenarios(Results results, List<String> policies, Path file)
      throws IOException {
    List<String> names = results.scenarios();
    CategoryChart chart =
        chart(
            "Cost against the default profile, paired mean ± 95 % CI",
            "%", 220 + 60 * names.size());
    chart.getStyler().setXAxisMaxLabelCount(Math.max(2, names.size()));
    chart.getStyler().setAvailableSpaceFill(0.5); // or nobody sees which scenario a mark belongs to
    int line = 0;
    for (String policy : policies) {
      List<Double> means = new ArrayList<>();
      List<Double> errors = new ArrayList<>();
      for (String s : names) {
        double[] mine = results.values(s, policy, Metric.COST);
        double[] stock = results.values(s, STOCK, Metric.COST);
        if (mine.length > 0 && stock.length > 0) {
          double base = Summary.of(stock).mean();
          Summary difference = Summary.paired(mine, stock);
          means.add(100 * difference.mean() / base);
          double half = 100 * difference.halfWidth() / base;
          errors.add(Double.isNaN(half) ? 0 : half);
        }
      }
      if (means.size() == names.size()) {
        var series = chart.addSeries(policy, names, means, errors);
        Color color = Palette.of(line++);
        series.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
        series.setMarkerColor(color);
        series.setFillColor(color);
        series.setLineColor(color);
      }
    }
    if (line > 0) {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }
  }

  private static CategoryChart chart(String title, String unit, int width) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(Math.max(700, width))
            .height(620)
            .title(title)
            .yAxisTitle(unit)
            .theme(ChartTheme.XChart)
            .build();
    chart
        .getStyler()
        .setXAxisLabelRotation(60)
        .setPlotGridVerticalLinesVisible(false)
        .setLegendPosition(LegendPosition.InsideNW)
        .setChartBackgroundColor(Color.WHITE);
    return chart;
  }
}
