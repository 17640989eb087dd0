package dev.berth.workbench.charts;

import dev.berth.workbench.soak.Sample;
import dev.berth.workbench.soak.SoakPlan;
import dev.berth.workbench.soak.SoakResult;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A soak over time: how long answers took above, the service's memory below. */
public final class SoakChart {
  private static final Color BLUE = new Color(0x0072B2);
  private static final Color ORANGE = new Color(0xD55E00);
  private static final Color GREEN = new Color(0x009E73);
  private static final Color GREY = new Color(0x888888);

  /** A look without any decision has no time; zero has no place on a logarithmic axis. */
  private static final double MIN_MILLIS = 0.1;

  private SoakChart() {}

  /** Writes a PNG; the run must have at least one sample. */
  public static void draw(Path png, SoakResult run) throws IOException {
    XYChart times = chart(title(run), "ms from when it was due");
    times.getStyler().setYAxisLogarithmic(true);
    times.getStyler().setYAxisDecimalPattern("#,##0.#");
    double lowest = run.samples().stream().mapToDouble(SoakChart::p50).min().orElse(1);
    double highest = run.samples().stream().mapToDouble(SoakChart::p99).max().orElse(1);
    // Whole powers of ten, or the axis has no labels.
    times.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(lowest))));
    times.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(highest))));
    line(times, run, "p99", BLUE, SoakChart::p99);
    line(times, run, "p50", ORANGE, SoakChart::p50);
    XYChart memory = chart("Memory of the service", "MiB");
    memory.getStyler().setYAxisMin(0.0);
    line(memory, run, "limit", GREY, s -> SoakPlan.LIMIT_MIB);
    line(memory, run, "resident", BLUE, Sample::rss);
    line(memory, run, "heap used", GREEN, Sample::heap);
    BitmapEncoder.saveBitmap(List.of(times, memory), 2, 1, png.toString(), BitmapFormat.PNG);
  }

  private static double p50(Sample s) {
    return Math.max(MIN_MILLIS, s.p50());
  }

  private static double p99(Sample s) {
    return Math.max(MIN_MILLIS, s.p99());
  }

  private static String title(SoakResult run) {
    StringBuilder title = new StringBuilder("Scores, dqn: ");
    for (SoakResult.PhaseResult p : run.phases()) {
      title
          .append(title.toString().endsWith(": ") ? "" : ", then ")
          .append(p.phase().candidates() + " candidates at " + p.phase().perSecond() + "/s");
    }
    return title.toString();
  }

  private static XYChart chart(String title, String unit) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(360)
            .title(title)
            .xAxisTitle("minutes")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotGridLinesColor(new Color(0xDDDDDD));
    chart.getStyler().setXAxisMin(0.0);
    return chart;
  }

  private static void line(
      XYChart chart, SoakResult run, String name, Color color, ToDoubleFunction<Sample> value) {
    double[] x = run.samples().stream().mapToDouble(s -> s.seconds() / 60).toArray();
    double[] y = run.samples().stream().mapToDouble(value).toArray();
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(color);
    series.setLineStyle(new BasicStroke(2f));
  }
}
