package dev.berth.workbench.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Curves over time, one line each. */
public final class TimeChart {
  /** Distinguishable also in grey and for most colour-blind readers (Okabe and Ito). */
  private static final Color[] COLORS = {new Color(0x0072B2), new Color(0xD55E00)};

  private TimeChart() {}

  /**
   * Writes a PNG; a value that is NaN is a gap.
   *
   * @param curves values by name of the line, at 0, {@code step}, 2 {@code step}, … seconds
   */
  public static void draw(
      Path png, String title, String xTitle, String yTitle, Map<String, double[]> curves, int step)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(420)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotGridLinesColor(new Color(0xDDDDDD));
    chart.getStyler().setYAxisMin(0.0);
    int color = 0;
    for (Map.Entry<String, double[]> curve : new TreeMap<>(curves).entrySet()) {
      double[] x = new double[curve.getValue().length];
      for (int i = 0; i < x.length; i++) {
        x[i] = i * step;
      }
      XYSeries series = chart.addSeries(curve.getKey(), x, curve.getValue());
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(COLORS[color++ % COLORS.length]);
      series.setLineStyle(new BasicStroke(2.5f));
    }
    Files.createDirectories(png.toAbsolutePath().getParent());
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapFormat.PNG);
  }
}
