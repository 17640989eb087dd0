package dev.berth.workbench.importer;

import dev.berth.simulator.workload.Arrivals;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Reads a published trace of arrivals and lifetimes. */
public final class ArrivalImport {
  private static final List<ArrivalFormat> FORMATS =
      List.of(new AzureBatches(), new StandardWorkload(), new Dlrm());

  private ArrivalImport() {}

  public static List<String> formats() {
    return FORMATS.stream().map(ArrivalFormat::name).toList();
  }

  /**
   * All arrivals of a trace in time order.
   *
   * @param place a folder, or the file itself
   * @throws dev.berth.policy.text.TextException naming file, line and fix
   */
  public static Arrivals read(String format, Path place) throws IOException {
    ArrivalFormat reader =
        FORMATS.stream().filter(f -> f.name().equals(format)).findFirst().orElseThrow();
    List<Batch> batches = reader.read(place);
    return new Arrivals(
        place.toString(), batches.stream().sorted(Comparator.comparingDouble(Batch::at)).toList());
  }
}
