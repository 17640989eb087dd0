package dev.berth.workbench.cli;

import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.Units;
import dev.berth.service.cli.OutputPlace;
import dev.berth.simulator.history.ArrivalsFile;
import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.usage.Series;
import dev.berth.simulator.workload.Arrivals;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.importer.ArrivalImport;
import dev.berth.workbench.importer.UsageImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth import}: published traces as files that scenarios play. */
@Command(
    name = "import",
    description = {
      "Turn a published trace of usage into a history that scenarios play (usage: {history:"
          + " FILE}).",
      "Formats of usage: planetlab, google2011, bitbrains; of arrivals and lifetimes (workload:"
          + " {kind: recorded, arrivals: FILE}): azure-v1, swf, dlrm. docs/real-load.md says where"
          + " they are published, and by which key each one's pods are given an owner."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth import planetlab traces/planetlab -o histories/planetlab.csv.gz",
      "  berth import google2011 traces/GCD_VMs -o histories/google2011.csv.gz --cores 4",
      "  berth import azure-v1 traces/lifetimes -o histories/azure-v1.csv.gz",
      "  berth import bitbrains traces/rnd -o histories/bitbrains.csv.gz --skip-damaged"
    })
final class ImportCommand implements Callable<Integer> {
  /** More would bury what matters. */
  private static final int SHOWN = 10;

  /** Seconds, cores or bytes: no machine has more. */
  private static final double MOST = 1e15;

  @Parameters(
      index = "0",
      paramLabel = "FORMAT",
      description = "planetlab, google2011, bitbrains, azure-v1, swf, dlrm.")
  private String format = "";

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "Where its files lie, unpacked, or the file.")
  private Path place = Path.of("");

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "The history to write; compressed when it ends in .gz.")
  private Path out = Path.of("");

  @Option(
      names = "--step",
      paramLabel = "TIME",
      defaultValue = "5m",
      description = "From one value to the next, of usage. Default: ${DEFAULT-VALUE}.")
  private String step = "";

  @Option(
      names = "--cores",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Cores of a machine, where the source has percents only (planetlab, google2011)."
              + " Default: ${DEFAULT-VALUE}.")
  private double cores;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4Gi",
      description =
          "Memory of a machine, where the source has percents only (google2011)."
              + " Default: ${DEFAULT-VALUE}.")
  private String memory = "";

  @Option(
      names = "--skip-damaged",
      description =
          "Leave damaged files of usage out and list them, instead of stopping at the first.")
  private boolean skipDamaged;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    double stepSeconds = option("--step", () -> whole(Units.seconds(step)));
    double machineCores = option("--cores", () -> positive(cores));
    double machineBytes = option("--memory", () -> positive(Quantity.bytes(memory)));
    refuseAnInput();
    makeRoom();
    if (ArrivalImport.formats().contains(format)) {
      return arrivals();
    }
    UsageImport trace =
        new UsageImport(format, stepSeconds, machineCores, machineBytes, skipDamaged);
    List<Path> files = trace.files(place);
    UsageImport.Result result;
    try (Progress progress = Progress.of("reading " + format, files.size())) {
      result = trace.read(files, place.toString(), progress::stepTo);
    }
    HistoryFile.write(out, result.history());
    report(result, files.size());
    return 0;
  }

  /** What is read is not written over. */
  private void refuseAnInput() throws IOException {
    if (Files.exists(out)
        && Files.exists(place)
        && out.toRealPath().startsWith(place.toRealPath())) {
      throw new ParameterException(
          spec.commandLine(),
          "--out: %s lies within %s, which is imported: name another place".formatted(out, place));
    }
  }

  private int arrivals() throws IOException {
    Arrivals read = ArrivalImport.read(format, place);
    ArrivalsFile.write(out, read);
    List<Arrivals.Batch> batches = read.batches();
    spec.commandLine()
        .getOut()
        .printf(
            "%s: %d pods in %d batches of %d owners, %.0f hours%n",
            out,
            batches.stream().mapToInt(b -> b.lives().length).sum(),
            batches.size(),
            batches.stream().map(Arrivals.Batch::owner).distinct().count(),
            (batches.get(batches.size() - 1).at() - batches.get(0).at()) / 3600);
    return 0;
  }

  private void makeRoom() throws IOException {
    Path folder = out.toAbsolutePath().getParent();
    if (folder != null) {
      OutputPlace.folder(folder);
    }
  }

  private double option(String name, DoubleSupplier value) {
    try {
      return value.getAsDouble();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), name + ": " + e.getMessage(), e);
    }
  }

  private static double positive(double value) {
    if (!(value > 0 && value <= MOST)) {
      throw new IllegalArgumentException(
          "%s is not above zero and at most %.0e".formatted(value, MOST));
    }
    return value;
  }

  private static double whole(double seconds) {
    if (positive(seconds) != Math.rint(seconds)) {
      throw new IllegalArgumentException("%s s: write whole seconds".formatted(seconds));
    }
    return seconds;
  }

  private void report(UsageImport.Result result, int files) {
    var console = spec.commandLine().getOut();
    List<Series> series = result.history().series();
    double hours =
        series.stream().mapToDouble(s -> s.cores().length * s.stepSeconds()).sum() / 3600;
    console.printf(
        "%s: %d series of %d owners, %.0f hours of pods, from %d files%n",
        out, series.size(), result.owners(), hours, files);
    if (result.filledSteps() > 0) {
      console.printf("bridged: %d steps that no row covers%n", result.filledSteps());
    }
    list("left out, their CPU never moves", result.constant());
    list("left out, damaged", result.damaged());
  }

  private void list(String what, List<String> items) {
    if (!items.isEmpty()) {
      var console = spec.commandLine().getOut();
      console.printf("%s: %d%n", what, items.size());
      items.stream().limit(SHOWN).forEach(item -> console.println("  " + item));
      if (items.size() > SHOWN) {
        console.printf("  and %d more%n", items.size() - SHOWN);
      }
    }
  }
}
