package dev.berth.service.cli;

import dev.berth.service.recording.Recording;
import dev.berth.service.recording.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Option(names = "--partial", description = "Replay what is there of one that is cut short.")
  private boolean partial;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Recording recording = Recording.read(file, partial);
    Recording other = against == null ? null : Recording.read(against, partial);
    if (recording.events().stream().noneMatch(e -> e.question() != null)) {
      throw new IllegalArgumentException(
          file + " has no decision: record while a scheduler asks, then replay");
    }
    ReplayReport report = new ReplayReport(recording, other);
    report.print(spec.commandLine().getOut(), !recording.truth().isEmpty());
    if (decisions != null) {
      Files.write(decisions, report.decisions());
      spec.commandLine().getOut().println("every decision: " + decisions);
    }
    return 0;
  }
}
