package dev.berth.workbench.cli;

import dev.berth.service.registry.AtomicFile;
import dev.berth.simulator.experiment.FolderLock;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.learning.EventFile;
import dev.berth.simulator.learning.Training;
import dev.berth.workbench.console.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth train}: an agent learns in the simulator. */
@Command(
    name = "train",
    description = {
      "Train an agent in the simulator. Writes model.bin (the last weights that passed the"
          + " promotion gate), latest.bin (the newest), TensorBoard events and a checkpoint after"
          + " every episode; started again with the same options, it goes on where it stopped."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth train --agent dqn --scenario train --out out/dqn",
      "  berth train --agent dqn --alone --warm-start predict-then-greedy --scenario train --out"
          + " out/warm",
      "  berth train --agent ac --alone --objective requests --scenario deployments --out out/ac",
      "  berth leaderboard --scenarios unseen --policies predict-then-greedy,model:out/dqn",
      "  tensorboard --logdir out"
    })
final class TrainCommand implements Callable<Integer> {
  @Mixin private final TrainOptions options = new TrainOptions();

  @Option(
      names = "--scenario",
      split = ",",
      required = true,
      paramLabel = "S",
      description = "Scenarios, files or folders; episodes take turns.")
  private List<String> scenarios = List.of();

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where results go.")
  private Path out = Path.of("");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of weights, episodes and exploration. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private final LessonOptions lessons = new LessonOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Training.Plan plan =
        new Training.Plan(
            options.config(),
            ScenarioLibrary.all(scenarios),
            seed,
            options.totalTimesteps(),
            lessons.lessons());
    try (Closeable alone = FolderLock.ofWork(out, "training")) {
      return learn(plan);
    }
  }

  private int learn(Training.Plan plan) throws IOException {
    Path checkpoint = out.resolve("checkpoint.bin");
    Training training = begin(plan, checkpoint);
    long begun = System.nanoTime();
    Training.@Nullable Report last = null;
    try (EventFile events = new EventFile(out);
        Progress bar = Progress.of("decisions", plan.totalTimesteps())) {
      bar.stepTo(training.decisions());
      long from = training.decisions();
      while (!training.finished()) {
        last = training.episode();
        AtomicFile.write(checkpoint, training.checkpoint());
        AtomicFile.write(out.resolve("model.bin"), training.model().encode());
        AtomicFile.write(out.resolve("latest.bin"), training.latest().encode());
        double seconds = (System.nanoTime() - begun) / 1e9;
        write(events, last, (last.decisions() - from) / seconds, plan);
        bar.stepTo(Math.min(plan.totalTimesteps(), last.decisions()));
        bar.doing(last.scenario());
      }
    }
    report(last, (System.nanoTime() - begun) / 1e9);
    return 0;
  }

  private Training begin(Training.Plan plan, Path checkpoint) throws IOException {
    if (Files.exists(checkpoint)) {
      return Training.resume(plan, Files.readAllBytes(checkpoint));
    }
    Training training = Training.start(plan);
    for (Path record : lessons.records()) {
      long decisions = training.prefill(record);
      spec.commandLine().getOut().printf("%d decisions of %s%n", decisions, record);
    }
    return training;
  }

  private void report(Training.@Nullable Report last, double seconds) {
    var console = spec.commandLine().getOut();
    if (last == null) {
      console.println("nothing left to do: raise --total-timesteps, or choose another --out");
      return;
    }
    console.printf(
        Locale.ROOT,
        "%d decisions in %d episodes, %d gradient steps, %.0f s; the last newer weights: %s%n%s%n",
        last.decisions(),
        last.episode(),
        last.progress().steps(),
        seconds,
        last.verdict().reason(),
        out.resolve("model.bin"));
  }

  private static void write(EventFile events, Training.Report r, double speed, Training.Plan plan)
      throws IOException {
    long step = r.decisions();
    double cost = r.outcome().metrics().getOrDefault(Metric.COST, Double.NaN);
    double variance = r.outcome().metrics().getOrDefault(Metric.REQUEST_CPU_VARIANCE, Double.NaN);
    events.scalar("charts/episodic_return", step, -cost);
    events.scalar("charts/episodic_length", step, r.outcome().decisions());
    events.scalar("charts/epsilon", step, plan.config().exploration().epsilon(step));
    events.scalar("charts/learning_rate", step, plan.config().learning().learningRate());
    events.scalar("charts/SPS", step, speed);
    events.scalar("losses/td_loss", step, r.progress().loss());
    events.scalar("reward/chosen", step, r.progress().reward());
    events.scalar("cluster/request_cpu_variance", step, variance);
    events.scalar("cluster/cost", step, cost);
    events.histogram(
        "actions/candidate",
        step,
        new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
        r.outcome().actions());
  }
}
