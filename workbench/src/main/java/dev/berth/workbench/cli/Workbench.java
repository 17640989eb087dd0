package dev.berth.workbench.cli;

import dev.berth.service.Service;
import dev.berth.service.cli.Berth;
import dev.berth.service.cli.CommandErrors;
import dev.berth.workbench.live.UnboundPodsException;
import dev.berth.workbench.sweep.SweepException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * The root command of a checkout: the product's commands and the workbench's; {@code berth --help}
 * lists every one.
 */
@Command(
    name = "berth",
    description = "Learns where Kubernetes pods run well: serve, simulate, train, compare.",
    mixinStandardHelpOptions = true,
    version = Service.VERSION,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Workbench {
  private static final List<Class<?>> COMMANDS =
      List.of(
          SimulateCommand.class,
          LeaderboardCommand.class,
          ImportCommand.class,
          TrainCommand.class,
          ResidualsCommand.class,
          Sweep.class,
          DemoCommand.class,
          EvidenceAb.class,
          EvidenceDemoCommand.class,
          WorkloadCommand.class,
          TopCommand.class,
          CleanCommand.class,
          UsageExporterCommand.class,
          GpuFill.class,
          GpuTrain.class,
          GpuLoad.class,
          GpuCluster.class,
          ScoreTrace.class,
          Topology.class,
          BenchScore.class,
          BenchSimulator.class,
          SoakCommand.class);

  private Workbench() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The whole command line; also how one command runs another, as a sweep does. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Workbench());
    Berth.COMMANDS.forEach(line::addSubcommand);
    COMMANDS.forEach(line::addSubcommand);
    return CommandErrors.explained(line, Workbench::explained);
  }

  /** Why something did not come about, in a line. */
  static String told(Exception e) {
    return explained(e).or(() -> CommandErrors.told(e)).orElse(String.valueOf(e.getMessage()));
  }

  static Optional<String> explained(Exception e) {
    return e instanceof UnboundPodsException || e instanceof SweepException
        ? Optional.ofNullable(e.getMessage())
        : kubernetes(e);
  }

  static Optional<String> kubernetes(Exception e) {
    if (!(e instanceof KubernetesClientException refused)) {
      return Optional.empty();
    }
    if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.of(
          reason(refused)
              + ": another run works on this cluster, or one was killed: let it end or stop it,"
              + " then 'berth clean' empties what it left");
    }
    if (refused.getCode() > 0) { // the API server did answer
      return Optional.of("Kubernetes refuses: " + reason(refused));
    }
    return Optional.ofNullable(
        e.getCause() == null
            ? e.getMessage()
            : "Kubernetes does not answer well (" + root(e) + "): is the cluster up?");
  }

  /** What the API server itself says, without the client's words around it. */
  private static String reason(KubernetesClientException e) {
    return e.getStatus() != null && e.getStatus().getMessage() != null
        ? e.getStatus().getMessage()
        : String.valueOf(e.getMessage());
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
}
