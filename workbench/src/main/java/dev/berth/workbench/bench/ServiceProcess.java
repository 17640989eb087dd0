package dev.berth.workbench.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service in a process of its own, on free ports of loopback, from its start until it listens and
 * on until it is closed. Thread-safe.
 */
public final class ServiceProcess implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("listening on http://\\S+:(\\d+) for the scheduler, on http://\\S+:(\\d+)");
  private static final int LOOK_MILLIS = 5;
  private static final long STOP_SECONDS = 20;

  private final Process process;
  private final Thread stopWithUs;
  private final Path log;
  private final int schedulerPort;
  private final int readPort;
  private final String token;

  private ServiceProcess(
      Process process, Thread stopWithUs, Path log, Matcher ports, String token) {
    this.process = process;
    this.stopWithUs = stopWithUs;
    this.log = log;
    this.schedulerPort = Integer.parseInt(ports.group(1));
    this.readPort = Integer.parseInt(ports.group(2));
    this.token = token;
  }

  /**
   * Returns as soon as the service listens.
   *
   * @param environment besides this process's own
   * @param state folder of the service, empty
   * @param log file that takes what the process writes
   * @throws IOException when the process does not come to listen; the message has its log
   */
  public static ServiceProcess start(
      List<String> command, Map<String, String> environment, Path state, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    builder.environment().putAll(own(state));
    Process process = builder.start();
    Thread stopWithUs = new Thread(process::destroy, "stop service"); // when we are interrupted
    Runtime.getRuntime().addShutdownHook(stopWithUs);
    boolean listens = false;
    try {
      while (process.isAlive()) {
        Matcher ports = LISTENING.matcher(Files.readString(log));
        if (ports.find()) {
          String token = Files.readString(state.resolve("token")).strip();
          listens = true;
          return new ServiceProcess(process, stopWithUs, log, ports, token);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      throw new IOException("berth serve did not come to listen:\n" + Files.readString(log));
    } finally {
      if (!listens) {
        stop(process, stopWithUs);
      }
    }
  }

  /** Environment of a service on free ports, with this folder for its state. */
  static Map<String, String> own(Path state) {
    return Map.of(
        "BERTH_SERVER_PORT", "0",
        "BERTH_SERVER_SCHEDULER_PORT", "0",
        "BERTH_STATE_FOLDER", state.toString());
  }

  /** Where the scheduler asks. */
  public int schedulerPort() {
    return schedulerPort;
  }

  /** Where everybody else asks. */
  public int readPort() {
    return readPort;
  }

  /** What the scheduler's requests must carry. */
  public String token() {
    return token;
  }

  /** Why the process is no more, with the end of its log; empty while it runs. */
  public String ended() throws IOException {
    if (process.isAlive()) {
      return "";
    }
    List<String> lines = Files.readAllLines(log);
    return "the service ended with exit code %d, the end of %s:%n%s"
        .formatted(
            process.exitValue(),
            log,
            String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size())));
  }

  /** Memory that the kernel holds for the process. */
  public Memory memory() throws IOException {
    long resident = 0;
    long peak = 0;
    for (String line : Files.readAllLines(Path.of("/proc", process.pid() + "", "status"))) {
      resident = line.startsWith("VmRSS:") ? kib(line) : resident;
      peak = line.startsWith("VmHWM:") ? kib(line) : peak;
    }
    return new Memory(resident / 1024.0, peak / 1024.0);
  }

  /**
   * In MiB.
   *
   * @param peak the most that was resident so far
   */
  public record Memory(double resident, double peak) {}

  private static long kib(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  /** Stops it as Kubernetes does: a signal, and after a while the end. */
  @Override
  public void close() throws InterruptedException {
    stop(process, stopWithUs);
  }

  private static void stop(Process process, Thread stopWithUs) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    Runtime.getRuntime().removeShutdownHook(stopWithUs);
  }
}
