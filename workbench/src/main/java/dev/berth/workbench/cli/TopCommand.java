package dev.berth.workbench.cli;

import dev.berth.workbench.live.Top;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth top}: a live table of nodes and of what runs on them. */
@Command(
    name = "top",
    description = "Show nodes with requested and measured load, and the pods' owners, live.")
final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\033[H\033[2J";

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--once", description = "Print one table and end (also without a terminal).")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Time between two looks. Default: ${DEFAULT-VALUE}.")
  private int interval;

  @Option(
      names = "--owners",
      paramLabel = "N",
      defaultValue = "15",
      description = "Most owners to list. Default: ${DEFAULT-VALUE}.")
  private int owners;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (interval < 1) {
      throw new ParameterException(
          spec.commandLine(), "--interval is " + interval + ": want 1 or more");
    }
    if (owners < 0) {
      throw new ParameterException(
          spec.commandLine(), "--owners is " + owners + ": want 0 or more");
    }
    var out = spec.commandLine().getOut();
    try (KubernetesClient client = cluster.connect()) {
      Top top = new Top(client, cluster.usage());
      if (once || System.console() == null) {
        out.print(top.look(owners));
        out.flush();
        return 0;
      }
      while (true) {
        out.print(CLEAR + top.look(owners) + "Ctrl-C ends\n");
        out.flush();
        Thread.sleep(1000L * interval);
      }
    }
  }
}
