package dev.berth.workbench.cli;

import dev.berth.policy.learning.AgentKind;
import dev.berth.service.registry.AtomicFile;
import dev.berth.simulator.gpu.AgentTrainer;
import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.GpuTrainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code berth gpu-train}: trains the model behind the GPU policy {@code berth}. */
@Command(
    name = "gpu-train",
    description =
        "Learn the value of a GPU node's leftovers from fill-ups, choose among candidates on"
            + " validation seeds against FGD with every guardrail, and write the model. Or train"
            + " one of the general agents on the same task.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth gpu-train --nodes N.csv --pods P.csv --out my.value",
      "  berth gpu-train --agent gnn --nodes N.csv --pods P.csv --out out/gnn",
      "  berth gpu-fill --nodes N.csv --pods P.csv --policies fgd,model:my.value,model:out/gnn"
    })
final class GpuTrain implements Callable<Integer> {

  private static final double DEMAND = 1.3;
  private static final int BATCH = 512;

  @Mixin private GpuTraceOptions input = new GpuTraceOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Model file, for berth gpu-fill --policies model:FILE.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path out;

  @Option(
      names = "--agent",
      converter = AgentConverter.class,
      paramLabel = "AGENT",
      description =
          "dqn, gnn, ac, ac-gnn (decomposed) or plain-dqn: train this instead, by reinforcement."
              + " Not read then: --candidates, --variants, --validation-variants, --threads.")
  private @Nullable AgentKind agent;

  @Option(
      names = "--learning-rate",
      defaultValue = "2e-3",
      paramLabel = "RATE",
      description = "Of the first step; falls to a fiftieth. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--temperature",
      defaultValue = "0.05",
      paramLabel = "GPUS",
      description = "Of the softmax of ac and ac-gnn. Default: ${DEFAULT-VALUE}.")
  private double temperature;

  @Option(
      names = "--goal",
      paramLabel = "TRACE=POINTS",
      description = "Wanted gain over FGD; the worst trace decides. Default: 0.5 each.")
  private Map<String, Double> goals = Map.of();

  @Option(
      names = "--episodes",
      defaultValue = "8",
      description = "Fill-ups per trace. Default: ${DEFAULT-VALUE}.")
  private int episodes;

  @Option(
      names = "--hidden",
      defaultValue = "24",
      description = "Units per hidden layer. Default: ${DEFAULT-VALUE}.")
  private int hidden;

  @Option(
      names = "--updates",
      defaultValue = "6000",
      description = "Gradient steps, per candidate without --agent. Default: ${DEFAULT-VALUE}.")
  private int updates;

  @Option(
      names = "--candidates",
      defaultValue = "8",
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
    Consumer<String> log =
        line -> {
          console.printf("%5.0f s  %s%n", (System.nanoTime() - start) / 1e9, line);
          console.flush();
        };
    String description = agent == null ? value(traces, log) : agent(agent, traces, log);
    console.printf("%nchosen: %s%nwritten: %s (%d bytes)%n", description, out, Files.size(out));
    console.flush();
    return 0;
  }

  private String value(List<GpuTrace> traces, Consumer<String> log) throws IOException {
    GpuTrainer.Config config =
        new GpuTrainer.Config(
            DEMAND,
            episodes,
            hidden,
            updates,
            BATCH,
            rate,
            candidates,
            variants,
            validationSeeds.seeds(),
            validationVariants,
            seed);
    GpuTrainer.Trial best = new GpuTrainer(config, goals, log).train(traces, threads);
    AtomicFile.write(out, best.model().encode());
    return best.description();
  }

  private String agent(AgentKind kind, List<GpuTrace> traces, Consumer<String> log)
      throws IOException {
    AgentTrainer.Config config =
        new AgentTrainer.Config(
            kind,
            DEMAND,
            episodes,
            hidden,
            updates,
            BATCH,
            rate,
            temperature,
            validationSeeds.seeds(),
            seed);
    AgentTrainer.Checkpoint best = new AgentTrainer(config, goals, log).train(traces);
    AtomicFile.write(out, best.model().encode());
    return best.description();
  }

  /** For picocli. */
  static final class AgentConverter implements ITypeConverter<AgentKind> {
    @Override
    public AgentKind convert(String id) {
      try {
        return AgentKind.byId(id);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            e.getMessage() + "; without --agent the value that ships is trained");
      }
    }
  }
}
