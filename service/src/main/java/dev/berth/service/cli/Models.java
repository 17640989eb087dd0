package dev.berth.service.cli;

import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.registry.ModelInfo;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.registry.ServingState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth models}: look at the model versions, go back to one, take one out. */
@Command(
    name = "models",
    description = "List, show, roll back and export the models of a service.",
    synopsisSubcommandLabel = "COMMAND")
public final class Models {

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      scope = picocli.CommandLine.ScopeType.INHERIT,
      description = "The service's configuration, which names its state-folder.")
  private @Nullable Path file;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      scope = picocli.CommandLine.ScopeType.INHERIT,
      description =
          "Kind of agent (dqn, gnn, ac, ac-gnn). Default: scoring.policy, else the only one there"
              + " is.")
  private @Nullable String kind;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Command(name = "list", description = "Every version of every kind, the serving ones marked.")
  int list() {
    return guarded(
        (state, policy) -> {
          List<String> kinds =
              kind == null ? ModelRegistry.kinds(state) : List.of(chosen(state, policy));
          out()
              .printf(
                  "%7s  %-7s %-20s %9s %11s  %s%n",
                  "VERSION", "KIND", "CREATED", "STEPS", "TRANSITIONS", "WHY");
          kinds.forEach(each -> list(ModelRegistry.of(state, each)));
          noteExperiment(state);
        });
  }

  private void list(ModelRegistry registry) {
    ServingState serving = registry.serving();
    for (ModelInfo m : registry.list()) {
      String mark = mark(m, serving);
      out()
          .printf(
              "%7d  %-7s %-20s %9d %11d  %s%s%n",
              m.version(),
              m.agent(),
              m.createdAt().replaceFirst("\\.\\d+Z", "Z"),
              m.trainSteps(),
              m.transitions(),
              mark,
              why(m));
    }
  }

  private static String mark(ModelInfo m, ServingState serving) {
    if (m.version() == serving.version()) {
      return serving.pinned() ? "[pinned] " : "[serving] ";
    }
    Long trial = serving.trial();
    if (trial != null && m.version() == trial) {
      return "[trial] ";
    }
    ModelInfo.Verdict said = m.verdict();
    return said != null && said.keptBack() ? "[kept back] " : "";
  }

  private static String why(ModelInfo m) {
    ModelInfo.Verdict said = m.verdict();
    return said == null ? m.reason() : said.reason() + "; " + m.reason();
  }

  @Command(name = "show", description = "One version in full.")
  int show(@Parameters(paramLabel = "VERSION") long version) {
    return ofKind(
        registry -> {
          byte[] model = registry.read(version);
          ModelInfo m = registry.find(version).orElseThrow();
          ServingState serving = registry.serving();
          out().printf("version      %d%n", m.version());
          out().printf("agent        %s%n", m.agent());
          out().printf("created      %s%n", m.createdAt());
          out().printf("train steps  %d%n", m.trainSteps());
          out().printf("transitions  %d%n", m.transitions());
          out().printf("reason       %s%n", why(m));
          out().printf("bytes        %d%n", model.length);
          out().printf("serving      %s%n", serving.version() == version);
          out().printf("served       %s%n", serving.before().contains(version));
        });
  }

  @Command(
      name = "rollback",
      description = "Serve an earlier version and hold it; a running service follows in a second.")
  int rollback(
      @Option(
              names = "--to",
              paramLabel = "VERSION",
              defaultValue = "0",
              description = "Version to serve. Default: the one that served before.")
          long to) {
    return guarded(
        (state, policy) -> {
          ServingState now = ModelRegistry.of(state, chosen(state, policy)).rollback(to);
          out()
              .printf(
                  "version %d serves and is pinned; 'berth models unpin' lets newer ones through%n",
                  now.version());
          noteExperiment(state);
        });
  }

  @Command(name = "unpin", description = "Let newer versions serve again after a rollback.")
  int unpin() {
    return ofKind(
        registry ->
            out()
                .printf(
                    "version %d serves until a newer one passes%n", registry.unpin().version()));
  }

  @Command(name = "export", description = "Copy a version's model file.")
  int export(
      @Parameters(paramLabel = "VERSION") long version,
      @Parameters(paramLabel = "FILE", description = "Where to; must not exist.") Path target) {
    return ofKind(
        registry -> {
          if (Files.exists(target)) {
            throw new IllegalArgumentException(target + " exists: name another file");
          }
          byte[] model = registry.read(version);
          try {
            OutputPlace.file(target);
            Files.write(target, model);
          } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
          }
          out().printf("version %d: %d bytes in %s%n", version, model.length, target);
        });
  }

  /** Then nothing of this is so yet, and who rolls back in an emergency must know. */
  private void noteExperiment(Path state) {
    try {
      new ExperimentFiles(state)
          .plan()
          .filter(plan -> plan.stopped() == null)
          .ifPresent(
              plan ->
                  out()
                      .printf(
                          "but an experiment has %s and %s serve in turn: 'berth ab stop' ends it%n",
                          plan.a(), plan.b()));
    } catch (ExperimentFiles.Damaged e) {
      return; // the service runs none of which it knows nothing
    }
  }

  private int ofKind(Consumer<ModelRegistry> work) {
    return guarded((state, policy) -> work.accept(ModelRegistry.of(state, chosen(state, policy))));
  }

  /** The kind that is meant. */
  private String chosen(Path state, String policy) {
    List<String> known = ModelRegistry.kinds(state);
    String wanted = kind == null ? policy : kind;
    if (known.contains(wanted)) {
      return wanted;
    }
    if (kind == null && known.size() == 1) {
      return known.get(0);
    }
    if (known.isEmpty()) {
      throw new IllegalStateException(
          "no models in " + state + ": the service has not run with an agent that learns");
    }
    throw new IllegalArgumentException(
        "no models of kind " + wanted + ": --kind is one of " + String.join(", ", known));
  }

  private int guarded(BiConsumer<Path, String> work) {
    return StateFolderCommand.run(
        spec, file, (config, state) -> work.accept(state, config.scoring().policy()));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
