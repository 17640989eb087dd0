package dev.berth.service.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth what-if}: where a pod would go now, and why. */
@Command(
    name = "what-if",
    description = "Say where a pod would go now, and why. Nothing is placed, recorded or learned.")
public final class WhatIf implements Callable<Integer> {

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description = "Manifest of a Pod, or of what makes pods (Deployment, StatefulSet, Job, ...).")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Where the manifest names none. Default: default.")
  private @Nullable String namespace;

  @Mixin private DecisionOutput output = new DecisionOutput();

  @Mixin private ServiceClient service = new ServiceClient();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Manifest pod =
        Manifest.parse(
            NamedFile.text(file), file.toString(), namespace == null ? "default" : namespace);
    String query =
        "?cpu=%dm&memory=%d&pod=%s&owner=%s"
            .formatted(
                pod.cpuMilli(),
                pod.memoryBytes(),
                ServiceClient.encoded(pod.name()),
                ServiceClient.encoded(pod.owner()));
    output.print(service.get("/v1/what-if" + query), spec.commandLine().getOut());
    if (!pod.unregarded().isEmpty()) {
      spec.commandLine()
          .getErr()
          .printf(
              "not regarded: %s; a scheduler leaves nodes out by that before it asks Berth%n",
              String.join(", ", pod.unregarded()));
    }
    return 0;
  }
}
