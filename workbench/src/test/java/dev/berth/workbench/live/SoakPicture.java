package dev.berth.workbench.live;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A soak over time: pods, latency and memory, as a picture and as CSV. */
final class SoakPicture {
  private SoakPicture() {}

  /** Writes {@code soak.csv} and {@code soak.png}; nothing of a run without a sample. */
  static void write(Path folder, List<SoakSample> samples) throws IOException {
    if (samples.isEmpty()) {
      return;
    }
    Files.createDirectories(folder);
    List<String> processes = List.copyOf(samples.get(0).residentMiB().keySet());
    List<String> lines = new ArrayList<>();
    lines.add("seconds,bound,not_by_service,call_p50_s,call_p99_s," + String.join(",", processes));
    for (SoakSample s : samples) {
      StringBuilder line =
          new StringBuilder(
              String.format(
                  Locale.ROOT,
                  "%.1f,%.0f,%.0f,%.5f,%.5f",
                  s.seconds(),
                  s.bound(),
                  s.elsewise(),
                  s.p50(),
                  s.p99()));
      processes.forEach(p -> line.append("," + Math.round(s.residentMiB().get(p))));
      lines.add(line.toString());
    }
    Files.write(folder.resolve("soak.csv"), lines);
    XYChart pods = chart("Pods bound, and those the service did not decide", "pods");
    line(pods, samples, "bound", SoakSample::bound);
    line(pods, samples, "not by the service", SoakSample::elsewise);
    XYChart calls = chart("The plugin's calls", "ms");
    line(calls, samples, "p50", s -> 1000 * s.p50());
    line(calls, samples, "p99", s -> 1000 * s.p99());
    XYChart memory = chart("Memory", "MiB resident");
    processes.forEach(p -> line(memory, samples, p, s -> s.residentMiB().get(p)));
    BitmapEncoder.saveBitmap(
        List.of(pods, calls, memory),
        3,
        1,
        folder.resolve("soak.png").toString(),
        BitmapFormat.PNG);
  }

  private static XYChart chart(String title, String unit) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(300)
            .title(title)
            .xAxisTitle("minutes")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  /** A value that is NaN is a gap. */
  private static void line(
      XYChart chart, List<SoakSample> samples, String name, ToDoubleFunction<SoakSample> value) {
    double[] x = samples.stream().mapToDouble(s -> s.seconds() / 60).toArray();
    double[] y = samples.stream().mapToDouble(value).toArray();
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
  }
}
