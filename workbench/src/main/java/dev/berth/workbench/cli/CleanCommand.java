package dev.berth.workbench.cli;

import dev.berth.workbench.live.Cleaner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth clean}: empties the namespaces of workloads, after asking. */
@Command(
    name = "clean",
    description = "Delete the Deployments, Jobs and pods in the namespaces that workloads made.")
final class CleanCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = {"-n", "--namespace"},
      description = "Empty this namespace instead; may be given several times.")
  private List<String> namespaces = new ArrayList<>();

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var out = spec.commandLine().getOut();
    try (KubernetesClient client = cluster.connect()) {
      List<String> chosen = namespaces.isEmpty() ? Cleaner.workloadNamespaces(client) : namespaces;
      if (chosen.isEmpty()) {
        out.println("nothing to clean: no workload has run on " + client.getMasterUrl());
        return 0;
      }
      out.println("On " + client.getMasterUrl() + " this deletes");
      for (String namespace : chosen) {
        out.println("  " + namespace + ": " + Cleaner.contents(client, namespace));
      }
      out.flush();
      if (!yes && !confirmed()) {
        out.println("nothing was deleted");
        return 1;
      }
      for (String namespace : chosen) {
        Cleaner.empty(client, namespace, Duration.ofSeconds(120));
      }
      out.println("done");
      return 0;
    }
  }

  private boolean confirmed() {
    spec.commandLine().getOut().print("Delete all of it? [y/N] ");
    spec.commandLine().getOut().flush();
    Scanner in = new Scanner(System.in, StandardCharsets.UTF_8);
    return in.hasNextLine() && in.nextLine().strip().equalsIgnoreCase("y");
  }
}
