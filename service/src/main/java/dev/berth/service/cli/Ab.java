package dev.berth.service.cli;

import dev.berth.policy.evidence.Switchback;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.text.Units;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.experiment.Arms;
import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.ExperimentReport;
import dev.berth.service.experiment.Plan;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.scoring.Serving;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code berth ab}: two take turns on this cluster, and it is measured which does better. */
@Command(
    name = "ab",
    description = {
      "Let two models or policies serve in turn, and measure which spreads load better.",
      "Works in the service's state folder, as 'berth models' does; a running service follows in a"
          + " second. Described in docs/experiments.md.",
    },
    synopsisSubcommandLabel = "COMMAND")
public final class Ab {
  private static final double MIN_SLOT = 60;

  /** No harm is seen before some fifteen pairs. */
  private static final double MAX_SLOT = 7 * 86_400;

  private static final double WASHOUT = 1.0 / 3;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The service's configuration, which names its state-folder.")
  private @Nullable Path file;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Command(
      name = "start",
      description = {
        "Begin an experiment; A serves on if B does harm.",
        "An arm is 'base' (the forecast alone), a kind of agent (the version that serves now), a"
            + " version such as dqn@12, or a policy that needs no model.",
      })
  int start(
      @Option(
              names = "--a",
              paramLabel = "ARM",
              defaultValue = Arms.BASE,
              description = "A. Default: ${DEFAULT-VALUE}.")
          String a,
      @Option(names = "--b", paramLabel = "ARM", required = true, description = "B.") String b,
      @Option(
              names = "--slot",
              paramLabel = "DURATION",
              defaultValue = "30m",
              description =
                  "How long each serves at a time; of this the first third is not measured. Longer"
                      + " than most pods live, where that can be. Default: ${DEFAULT-VALUE}.")
          String slot) {
    return in(
        (config, files) -> {
          Plan running = files.plan().filter(p -> p.stopped() == null).orElse(null);
          if (running != null) {
            throw new IllegalStateException(
                "there is one already, "
                    + ExperimentReport.status(running, files.measured(running), now())
                    + ": 'berth ab stop' ends it");
          }
          double seconds = Units.seconds(slot);
          if (seconds < MIN_SLOT || seconds > MAX_SLOT) {
            throw new IllegalArgumentException(
                "--slot is "
                    + slot
                    + ": want a minute or more, for samples are as old as that, and 7d at most");
          }
          long seed = ThreadLocalRandom.current().nextLong();
          String armA = arm(config, a);
          String armB = arm(config, b);
          noteUntrained(config, armA);
          noteUntrained(config, armB);
          Plan plan = new Plan(armA, armB, seconds, WASHOUT * seconds, seed, now(), null);
          files.plan(plan);
          return ExperimentReport.status(plan, files.measured(plan), now());
        });
  }

  @Command(name = "status", description = "What runs, and who serves.")
  int status() {
    return in(
        (config, files) -> {
          Plan plan = plan(files);
          return ExperimentReport.status(plan, files.measured(plan), now());
        });
  }

  @Command(
      name = "stop",
      description =
          "End the experiment: what is configured serves again. Files of it that cannot be read are"
              + " set aside.")
  int stop() {
    return in(
        (config, files) -> {
          List<Path> damaged = files.setDamagedAside();
          damaged.forEach(file -> out().println("could not be read, set aside: " + file));
          if (!damaged.isEmpty() && files.plan().isEmpty()) {
            return "no experiment runs, what is configured serves";
          }
          Plan plan = plan(files);
          Plan stopped = plan.stopped() == null ? plan.stoppedAt(now()) : plan;
          files.plan(stopped);
          return ExperimentReport.status(stopped, files.measured(stopped), now());
        });
  }

  @Command(
      name = "report",
      description = "What the newest experiment has measured; look as often as you like.")
  int report() {
    return in(
        (config, files) -> {
          Plan plan = plan(files);
          Switchback measured = files.measured(plan);
          List<String> lines = new ArrayList<>();
          lines.add(ExperimentReport.status(plan, measured, now()));
          lines.addAll(ExperimentReport.lines(plan, measured));
          return String.join(System.lineSeparator(), lines);
        });
  }

  private static Plan plan(ExperimentFiles files) {
    return files
        .plan()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there was no experiment yet: 'berth ab start --a base --b dqn' begins one"));
  }

  /** The arm by its full name: what serves now may be another version tomorrow. */
  private static String arm(ServiceConfig config, String name) {
    String kind = config.scoring().policy();
    Path state = Path.of(config.stateFolder());
    boolean learns = ModelRegistry.kinds(state).contains(kind);
    if (learns && name.equals(kind)) {
      return Arms.name(kind, ModelRegistry.of(state, kind).serving().version());
    }
    Serving any = new Serving(Policies.byName("random", new SplittableRandom()), 0);
    new Arms(
            kind,
            version -> {
              if (!learns) {
                throw new IllegalArgumentException(
                    "no models of kind " + kind + " in " + state + " yet: let the service run");
              }
              ModelRegistry.of(state, kind).read(version);
              return any;
            })
        .serving(name);
    return name;
  }

  /** As every service begins with one: against its base it would be compared with itself. */
  private void noteUntrained(ServiceConfig config, String arm) {
    String kind = config.scoring().policy();
    Path state = Path.of(config.stateFolder());
    if (ModelRegistry.kinds(state).contains(kind)) {
      ModelRegistry.of(state, kind).list().stream()
          .filter(info -> Arms.name(kind, info.version()).equals(arm) && info.trainSteps() == 0)
          .forEach(
              info -> out().printf("note: %s has learned nothing here: %s%n", arm, info.reason()));
    }
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  private interface Work {
    String on(ServiceConfig config, ExperimentFiles files);
  }

  private int in(Work work) {
    return StateFolderCommand.run(
        spec,
        file,
        (config, state) -> {
          try {
            out().println(work.on(config, new ExperimentFiles(state)));
          } catch (ExperimentFiles.Damaged e) {
            throw new IllegalStateException(e.getMessage() + "; 'berth ab stop' sets it aside", e);
          }
        });
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
