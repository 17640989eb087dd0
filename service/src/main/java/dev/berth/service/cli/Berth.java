package dev.berth.service.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The root command; {@code berth --help} lists every subcommand. */
@Command(
    name = "berth",
    description = "Learns where Kubernetes pods run well: serve, simulate, train, compare.",
    mixinStandardHelpOptions = true,
    version = "berth 0.1.0",
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CommandLine.HelpCommand.class,
      Serve.class,
      UsageExporterCommand.class,
      WorkloadCommand.class,
      TopCommand.class,
      CleanCommand.class
    })
public final class Berth {

  private Berth() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Berth())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(Berth::explain)
            .execute(args));
  }

  /** What a user can mend gets its message alone; anything else is our mistake and gets a trace. */
  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    boolean mendable =
        e instanceof IOException
            || e instanceof IllegalArgumentException
            || e instanceof IllegalStateException
            || e instanceof KubernetesClientException;
    if (!mendable || e.getMessage() == null) {
      throw e;
    }
    command.getErr().println(command.getCommandName() + ": " + e.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }
}
