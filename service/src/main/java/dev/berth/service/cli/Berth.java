package dev.berth.service.cli;

import dev.berth.service.Service;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The root command of the product: what an operator needs, and all that the image holds. */
@Command(
    name = "berth",
    description =
        "Learns where Kubernetes pods run well: serve scores, say where they count and why, look"
            + " after the models, replay what was.",
    mixinStandardHelpOptions = true,
    version = Service.VERSION,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Berth {
  /** In the order of the help; a checkout has them, too. */
  public static final List<Class<?>> COMMANDS =
      List.of(
          CommandLine.HelpCommand.class,
          Serve.class,
          Models.class,
          Mode.class,
          Ab.class,
          Doctor.class,
          Explain.class,
          WhatIf.class,
          WeeklyReport.class,
          Replay.class);

  private Berth() {}

  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /**
   * The command line that can read these arguments. For {@code serve} it knows no other command:
   * picocli would look at the options of all of them first, and pods may be waiting for a service
   * that starts again.
   */
  public static CommandLine commandLine(String... args) {
    boolean serve = args.length > 0 && args[0].equals("serve");
    CommandLine line = new CommandLine(new Berth());
    (serve ? List.of(Serve.class) : COMMANDS).forEach(line::addSubcommand);
    return CommandErrors.explained(line);
  }
}
