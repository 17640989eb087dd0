package dev.berth.service.cli;

import dev.berth.service.Service;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.ConfigLoader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth serve}: the scoring service, until a signal stops it. */
@Command(name = "serve", description = "Run the scoring service.")
public final class Serve implements Callable<Integer> {

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "YAML file; docs/configuration.md lists the keys. Default: defaults alone.")
  private @Nullable Path file;

  @Option(
      names = "--check",
      description = "Start as usual and stop when the service listens: 0 if it would have run.")
  private boolean check;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Service service;
    try {
      service = Service.start(ConfigLoader.load(file, System.getenv()));
    } catch (ConfigException | IllegalStateException | UncheckedIOException e) {
      spec.commandLine().getErr().println("berth serve: " + e.getMessage());
      return 1;
    }
    if (check) {
      service.close();
      return 0;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
    service.awaitClose();
    return 0;
  }
}
