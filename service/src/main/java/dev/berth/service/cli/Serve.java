package dev.berth.service.cli;

import dev.berth.service.Service;
import dev.berth.service.config.ConfigLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

  @Override
  public Integer call() throws InterruptedException {
    Service service = Service.start(ConfigLoader.load(file, System.getenv()));
    if (check) {
      service.close();
      return 0;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
    service.awaitClose();
    return 0;
  }
}
