package dev.berth.workbench.cli;

import dev.berth.workbench.topology.TopologyFiles;
import dev.berth.workbench.topology.TopologyLabels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code berth topology}: racks and servers of clusters that do not say where their nodes stand.
 */
@Command(
    name = "topology",
    description = "Give nodes and pods rack and server labels.",
    subcommands = Topology.Label.class)
final class Topology {

  /** {@code berth topology label}. */
  @Command(
      name = "label",
      description = {
        "Write a node or pod list with rack and server labels by position; values that are already"
            + " there stay.",
        "A .csv file gets two columns, any other file is read as YAML (documents or a List)."
      })
  static final class Label implements Callable<Integer> {

    @Option(
        names = "--servers-per-rack",
        defaultValue = "4",
        description = "Default: ${DEFAULT-VALUE}.")
    private int serversPerRack;

    @Option(
        names = "--rack-key",
        defaultValue = "rack",
        description = "Label key or column of the rack. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String rackKey;

    @Option(
        names = "--server-key",
        defaultValue = "server",
        description = "Label key or column of the server. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String serverKey;

    @Parameters(index = "0", paramLabel = "IN", description = "List to read.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path in;

    @Parameters(index = "1", paramLabel = "OUT", description = "List to write; may be IN.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path out;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      TopologyLabels labels = new TopologyLabels(serversPerRack, rackKey, serverKey);
      TopologyLabels.Summary summary = TopologyFiles.label(labels, in, out);
      spec.commandLine()
          .getOut()
          .printf(
              "%s: %d objects, %d labels added, the rest was there%n",
              out, summary.objects(), summary.added());
      return 0;
    }
  }
}
