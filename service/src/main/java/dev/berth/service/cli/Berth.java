package dev.berth.service.cli;

import dev.berth.service.Service;
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
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CommandLine.HelpCommand.class,
      Serve.class,
      Models.class,
      Mode.class,
      Ab.class,
      Doctor.class,
      Explain.class,
      WhatIf.class,
      WeeklyReport.class,
      Replay.class
    })
public final class Berth {
  private Berth() {}

  public static void main(String[] args) {
    System.exit(CommandErrors.explained(new CommandLine(new Berth())).execute(args));
  }
}
