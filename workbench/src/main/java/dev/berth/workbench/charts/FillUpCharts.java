package dev.berth.workbench.charts;

import dev.berth.simulator.gpu.FillUpResult;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Mean curves over arrived demand, one line per policy. */
public final class FillUpCharts {
  private FillUpCharts() {}

  /**
   * Allocation where it saturates: from 80 % of demand on.
   *
   * @param title says trace and tie rule
   */
  public static void allocation(Path png, String title, List<FillUpResult> results) {
    draw(
        png,
        title + ": GPU allocation",
        "GPU allocated, % of capacity",
        80,
        results,
        FillUpResult::allocationPct);
  }

  /** The fragmented share of what is idle, over the whole run. */
  public static void fragmentation(Path png, String title, List<FillUpResult> results) {
    draw(
        png,
        title + ": fragmentation",
        "fragmented, % of idle GPU",
        0,
        results,
        FillUpResult::fragmentationPct);
  }

  private static void draw(
      Path png,
      String title,
      String yTitle,
      int from,
      List<FillUpResult> results,
      Function<FillUpResult, double[]> curve) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(560)
            .title(title)
            .xAxisTitle("arrived GPU demand, % of capacity")
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotGridLinesColor(new Color(0xDDDDDD));
    int color = 0;
    for (Map.Entry<String, double[]> mean : means(results, curve).entrySet()) {
      int first = Math.min(from, mean.getValue().length - 1);
      double[] x = new double[mean.getValue().length - first];
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = first + i;
        y[i] = mean.getValue()[first + i];
      }
      XYSeries series = chart.addSeries(mean.getKey(), x, y);
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(Palette.of(color++));
      series.setLineStyle(new BasicStroke(2f));
    }
    try {
      BitmapEncoder.saveBitmap(chart, png.toString(), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + png + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, double[]> means(
      List<FillUpResult> results, Function<FillUpResult, double[]> curve) {
    Map<String, double[]> sums = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (FillUpResult run : results) {
      double[] values = curve.apply(run);
      double[] sum = sums.computeIfAbsent(run.policy(), key -> new double[values.length]);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[i];
      }
      counts.merge(run.policy(), 1, Integer::sum);
    }
    sums.forEach(
        (policy, sum) -> {
          for (int i = 0; i < sum.length; i++) {
            sum[i] /= counts.getOrDefault(policy, 1);
          }
        });
    return sums;
  }
}
