package dev.berth.service.cli;

import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ServiceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands that work in a service's state folder have in common. */
final class StateFolderCommand {
  private StateFolderCommand() {}

  /**
   * Does the work of a command with the service's configuration and state folder.
   *
   * @param file the service's configuration; null for the defaults
   * @return the exit code
   */
  static int run(CommandSpec spec, @Nullable Path file, BiConsumer<ServiceConfig, Path> work) {
    ServiceConfig config = ConfigLoader.load(file, System.getenv());
    Path state = Path.of(config.stateFolder());
    if (!Files.isDirectory(state)) {
      throw new IllegalArgumentException(
          "no state folder " + state + ": give --config the file that the service runs with");
    }
    work.accept(config, state);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
