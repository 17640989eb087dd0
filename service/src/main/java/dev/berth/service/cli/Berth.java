package dev.berth.service.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;
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
      Sweep.class,
      Models.class,
      BenchScore.class,
      UsageExporterCommand.class,
      WorkloadCommand.class,
      TopCommand.class,
      SimulateCommand.class,
      LeaderboardCommand.class,
      TrainCommand.class,
      ResidualsCommand.class,
      CleanCommand.class,
      DemoCommand.class,
      GpuFill.class,
      GpuTrain.class,
      GpuLoad.class,
      GpuCluster.class,
      ScoreTrace.class,
      Topology.class
    })
public final class Berth {

  private Berth() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The whole command line; also how one command runs another, as a sweep does. */
  static CommandLine commandLine() {
    return new CommandLine(new Berth())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Berth::explain)
        .setParameterExceptionHandler(Berth::correct);
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
    String message = e.getMessage();
    if (e instanceof NoSuchFileException) { // whose whole message is the path
      message = "no such file or folder: " + message + ": check the path";
    }
    if (e instanceof KubernetesClientException && e.getCause() != null) {
      message = "Kubernetes does not answer well (" + root(e) + "): is the cluster up?";
    }
    command.getErr().println(command.getCommandName() + ": " + message);
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The deepest cause that says something: clients wrap a refused connection several times. */
  private static String root(Throwable e) {
    String message = String.valueOf(e.getMessage());
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return "connection refused";
      }
      message = cause.getMessage() == null ? message : cause.getMessage();
    }
    return message;
  }

  /** A wrong option gets one line and where to read on, not the whole help. */
  private static int correct(CommandLine.ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    command.getErr().println("see " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }
}
