package dev.berth.service.cli;

import dev.berth.policy.Policy;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.heuristic.Policies;
import dev.berth.service.recording.Recording;
import dev.berth.service.recording.ReplayReport;
import dev.berth.service.recording.Rescoring;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth replay}: how good the forecasts of a recorded run were, and why not better. */
@Command(
    name = "replay",
    description = {
      "Feed a recording to the code that made it, and hold its forecasts against what nodes did.",
      "With --policy or --model: which pods would have gone elsewhere.",
      "A service records when recording.file is set; the demo does, and adds the truth.",
    })
public final class Replay implements Callable<Integer> {

  @Parameters(paramLabel = "RECORDING", description = "A file that recording.file made.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--against",
      paramLabel = "RECORDING",
      description = "Another recording whose errors stand beside, such as the simulated twin's.")
  private @Nullable Path against;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = "Also write a CSV line per decision and horizon: expected, truth, error.")
  private @Nullable Path decisions;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description =
          "Rank the recorded decisions again by this policy, such as least-allocated, and say which"
              + " pods would have gone elsewhere.")
  private @Nullable String policy;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "The same by a model that 'berth models export' wrote.")
  private @Nullable Path model;

  @Option(names = "--clip", paramLabel = "SHARE", description = "With --model: scoring.clip.")
  private @Nullable Double clip;

  @Option(names = "--partial", description = "Replay what is there of one that is cut short.")
  private boolean partial;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Policy other = other();
    if (decisions != null) {
      OutputPlace.file(decisions);
    }
    PrintWriter err = spec.commandLine().getErr(); // seconds go by before the first table
    err.println("reading " + file);
    err.flush();
    Recording recording = Recording.read(file, partial);
    Recording beside = against == null ? null : Recording.read(against, partial);
    long asked = recording.events().stream().filter(e -> e.question() != null).count();
    if (asked == 0) {
      throw new IllegalArgumentException(
          file + " has no decision: record while a scheduler asks, then replay");
    }
    err.printf("replaying %d decisions%n", asked);
    err.flush();
    if (other != null) {
      Rescoring.of(recording, other).print(spec.commandLine().getOut());
      return 0;
    }
    ReplayReport report = new ReplayReport(recording, beside);
    report.print(spec.commandLine().getOut(), !recording.truth().isEmpty());
    if (decisions != null) {
      Files.write(decisions, report.decisions());
      spec.commandLine().getOut().println("every decision: " + decisions);
    }
    return 0;
  }

  private @Nullable Policy other() throws IOException {
    if (policy != null && model != null) {
      throw new IllegalArgumentException("--policy and --model are both there: give one of them");
    }
    if (clip != null && model == null) {
      throw new IllegalArgumentException("--clip bounds a model's correction: give --model, too");
    }
    if (policy != null) {
      return Policies.byName(policy, new SplittableRandom(0));
    }
    return model == null ? null : learned(model);
  }

  private Policy learned(Path file) throws IOException {
    BalanceModel found;
    try {
      found = BalanceModel.decode(Files.readAllBytes(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--model " + file + " is no model of 'berth models export': " + e.getMessage(), e);
    }
    Double wanted = clip;
    return wanted == null
        ? found.policy()
        : new LearnedPolicy(found.config().with(p -> p.clip = wanted), found.weights());
  }
}
