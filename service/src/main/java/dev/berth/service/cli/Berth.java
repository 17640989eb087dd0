package dev.berth.service.cli;

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
    subcommands = {CommandLine.HelpCommand.class, Serve.class, UsageExporterCommand.class})
public final class Berth {

  private Berth() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Berth()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }
}
