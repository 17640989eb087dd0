package dev.berth.service.cli;

import dev.berth.policy.file.FileTrouble;
import dev.berth.service.config.ConfigException;
import dev.berth.service.operator.Printable;
import dev.berth.service.prometheus.QueryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * How a command line tells its mistakes: what a user can mend gets one line that says how, a wrong
 * name or value the exit code of a wrong option; anything else is our mistake and gets a trace.
 */
public final class CommandErrors {
  private CommandErrors() {}

  /** Explains what this product's own commands may throw. */
  public static CommandLine explained(CommandLine commands) {
    return explained(commands, e -> Optional.empty());
  }

  /**
   * @param more explains what commands of the caller's may throw besides; empty where it does not
   *     know either
   */
  public static CommandLine explained(
      CommandLine commands, Function<Exception, Optional<String>> more) {
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> explain(e, command, more))
        .setParameterExceptionHandler(CommandErrors::correct);
  }

  private static int explain(
      Exception e, CommandLine command, Function<Exception, Optional<String>> more)
      throws Exception {
    Optional<String> message = more.apply(e).or(() -> told(e));
    if (e instanceof IllegalArgumentException && e.getMessage() != null) {
      return wrong(command, message.orElseThrow(() -> e));
    }
    String name = command.getCommandSpec().qualifiedName().replaceFirst("^berth ", "");
    command.getErr().println(name + ": " + message.orElseThrow(() -> e));
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** What somebody can mend, in a line; empty of a mistake of ours. */
  public static Optional<String> told(Exception e) {
    if (e instanceof NoSuchFileException) { // whose whole message is the path
      return Optional.of("no such file or folder: " + e.getMessage() + ": check the path");
    }
    if (e instanceof FileSystemException f && f.getFile() != null) { // of most the path alone, too
      return Optional.of(f.getFile() + ": " + FileTrouble.reason(f));
    }
    boolean mendable =
        e instanceof IOException
            || e instanceof UncheckedIOException
            || e instanceof ConfigException
            || e instanceof QueryException
            || e instanceof IllegalArgumentException
            || e instanceof IllegalStateException;
    return mendable
        ? Optional.ofNullable(e.getMessage()).map(Printable::withoutClasses)
        : Optional.empty();
  }

  /**
   * A wrong option gets one line and where to read on, not the whole help; who names no command
   * sees which there are.
   */
  private static int correct(CommandLine.ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    if (args.length == 0) {
      command.usage(command.getErr());
      return CommandLine.ExitCode.USAGE;
    }
    command.getErr().println(e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    return readOn(command);
  }

  /** A name that nothing has, or a value that cannot be, whoever finds out. */
  private static int wrong(CommandLine command, String message) {
    command.getErr().println(message);
    return readOn(command);
  }

  private static int readOn(CommandLine command) {
    command.getErr().println("see " + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }
}
