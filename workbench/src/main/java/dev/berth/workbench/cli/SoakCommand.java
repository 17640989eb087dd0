package dev.berth.workbench.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.berth.workbench.Folders;
import dev.berth.workbench.bench.ImageFolder;
import dev.berth.workbench.charts.SoakChart;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.soak.Soak;
import dev.berth.workbench.soak.SoakFiles;
import dev.berth.workbench.soak.SoakPlan;
import dev.berth.workbench.soak.SoakResult;
import dev.berth.workbench.soak.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth soak}: the service at work for long, inside the memory it is shipped with. */
@Command(
    name = "soak",
    description = {
      "Keep the service at work inside its shipped memory limit: no error, flat memory, learning.",
      "It runs as its image starts it (make service-image), under "
          + SoakPlan.MAX_RAM
          + " in the place of a container's limit; a stand-in answers for Prometheus."
    })
final class SoakCommand implements Callable<Integer> {

  @Option(
      names = "--minutes",
      defaultValue = "30",
      description = "Length of each phase. Default: ${DEFAULT-VALUE}")
  private double minutes;

  @Option(
      names = "--candidates",
      split = ",",
      paramLabel = "N",
      defaultValue = "5000,500",
      description = "Candidates of a decision, for each phase. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> candidates;

  @Option(
      names = "--rate",
      split = ",",
      paramLabel = "N",
      defaultValue = "20,200",
      description = "Decisions per second, for each phase. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> rate;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "An answer that takes longer is an error. Default: ${DEFAULT-VALUE}")
  private int patience;

  @Option(
      names = "--java-opts",
      defaultValue = "",
      description = "More options for the service's JVM; -Xmx100m shows a run that fails.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String javaOpts;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "out",
      description =
          "For soak.csv, soak.png, bench/soak.json and the service's log in soak/. Default:"
              + " ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path out;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ((Logger) LoggerFactory.getLogger("dev.berth")).setLevel(Level.WARN);
    SoakPlan plan = plan();
    Path folder = out.resolve("soak").toAbsolutePath();
    Folders.delete(folder);
    Files.createDirectories(folder);
    ImageFolder image = ImageFolder.layOut(ClusterOptions.root(), folder.resolve("image"));
    PrintWriter console = spec.commandLine().getOut();
    console.printf(
        "the service as its image starts it, %s (the JVM is told, no cgroup), log in %s%n",
        SoakPlan.MAX_RAM, folder.resolve("service.log"));
    console.flush();
    long seconds = plan.phases().stream().mapToLong(p -> p.lasts().toSeconds()).sum();
    SoakResult run;
    try (Progress bar = Progress.of("soak", seconds)) {
      run = Soak.run(plan, image, folder, bar);
    }
    SoakFiles.csv(run, out.resolve("soak.csv"));
    SoakFiles.json(run, out.resolve("bench/soak.json"));
    if (!run.samples().isEmpty()) {
      SoakChart.draw(out.resolve("soak.png"), run);
    }
    console.printf("%n%s%n", SoakFiles.markdown(run));
    List<String> failures = Verdict.failures(run);
    failures.forEach(f -> console.println("soak failed: " + f));
    if (failures.isEmpty()) {
      console.println("soak passed: no error, no restart, memory within bounds, learning went on");
    }
    return failures.isEmpty() ? 0 : 1;
  }

  private void atLeast(String option, Number least, Number given) {
    if (!(given.doubleValue() >= least.doubleValue())) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + given + ": want at least " + least);
    }
  }

  private SoakPlan plan() {
    if (candidates.size() != rate.size()) {
      throw new ParameterException(
          spec.commandLine(),
          "--candidates names "
              + candidates.size()
              + " phases and --rate "
              + rate.size()
              + ": give one number of each per phase");
    }
    atLeast("--minutes", 0.5, minutes);
    atLeast("--patience", 1, patience);
    List<SoakPlan.Phase> phases = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.get(i) < 2 || rate.get(i) < 1) {
        throw new ParameterException(
            spec.commandLine(), "a phase needs at least 2 --candidates and a --rate of 1");
      }
      Duration lasts = Duration.ofSeconds(Math.round(60 * minutes));
      phases.add(new SoakPlan.Phase(candidates.get(i), rate.get(i), lasts));
    }
    return new SoakPlan(phases, Duration.ofSeconds(patience), javaOpts);
  }
}
