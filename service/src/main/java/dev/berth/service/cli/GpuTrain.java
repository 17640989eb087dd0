package dev.berth.service.cli;

import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.GpuTrainer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth gpu-train}: trains the model behind the GPU policy {@code berth}. */
@Command(
    name = "gpu-train",
    description =
        "Learn the value of a GPU node's leftovers from random fill-ups, choose among candidates on"
            + " validation seeds against FGD with every guardrail, and write the model.")
final class GpuTrain implements Callable<Integer> {

  @Mixin private GpuTraceOptions input = new GpuTraceOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Model file, for berth gpu-fill --model.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path out;

  @Option(
      names = "--goal",
      paramLabel = "TRACE=POINTS",
      description = "Wanted gain over FGD; the worst trace decides. Default: 0.5 each.")
  private Map<String, Double> goals = Map.of();

  @Option(
      names = "--episodes",
      defaultValue = "8",
      description = "Random fill-ups per trace. Default: ${DEFAULT-VALUE}.")
  private int episodes;

  @Option(
      names = "--hidden",
      defaultValue = "24",
      description = "Units per hidden layer. Default: ${DEFAULT-VALUE}.")
  private int hidden;

  @Option(
      names = "--updates",
      defaultValue = "6000",
      description = "Gradient steps per candidate. Default: ${DEFAULT-VALUE}.")
  private int updates;

  @Option(
      names = "--candidates",
      defaultValue = "5",
      description = "Networks fitted. Default: ${DEFAULT-VALUE}.")
  private int candidates;

  @Option(
      names = "--variants",
      defaultValue = "24",
      description =
          "Workloads drawn around the given ones, to train on too. Default: ${DEFAULT-VALUE}.")
  private int variants;

  @Option(
      names = "--validation-seeds",
      converter = SeedRange.Converter.class,
      defaultValue = "1000-1003",
      description = "Keep apart from the seeds you test on. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SeedRange validationSeeds;

  @Option(
      names = "--validation-variants",
      defaultValue = "6",
      description = "Other such workloads, to choose on. Default: ${DEFAULT-VALUE}.")
  private int validationVariants;

  @Option(names = "--seed", defaultValue = "31", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--threads", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<GpuTrace> traces = input.read();
    PrintWriter console = spec.commandLine().getOut();
    long start = System.nanoTime();
    GpuTrainer.Config config =
        new GpuTrainer.Config(
            1.3,
            episodes,
            hidden,
            updates,
            512,
            2e-3,
            candidates,
            variants,
            validationSeeds.seeds(),
            validationVariants,
            seed);
    GpuTrainer trainer =
        new GpuTrainer(
            config,
            goals,
            line -> {
              console.printf("%5.0f s  %s%n", (System.nanoTime() - start) / 1e9, line);
              console.flush();
            });
    GpuTrainer.Trial best = trainer.train(traces, threads);
    Path temporary = out.resolveSibling(out.getFileName() + ".tmp");
    try (OutputStream file = Files.newOutputStream(temporary)) {
      best.model().write(file);
    }
    Files.move(temporary, out, StandardCopyOption.REPLACE_EXISTING);
    console.printf(
        "%nchosen: %s%nwritten: %s (%d bytes)%n", best.description(), out, Files.size(out));
    console.flush();
    return 0;
  }
}
