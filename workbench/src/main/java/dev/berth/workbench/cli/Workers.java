package dev.berth.workbench.cli;

import dev.berth.workbench.console.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Worker processes of this same program. Each prints one line per finished unit of work; a progress
 * bar counts them. Processes rather than threads: one crash loses one worker.
 */
final class Workers {
  private final PrintWriter err;

  Workers(PrintWriter err) {
    this.err = err;
  }

  /** The arguments of worker {@code index} of {@code of}. */
  interface Arguments {
    List<String> of(int index, int of);
  }

  /** Runs all workers to their end and returns how many failed. */
  int run(int count, int units, Arguments arguments) throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    Thread stopAll = new Thread(() -> stopped(processes));
    Runtime.getRuntime().addShutdownHook(stopAll);
    List<Thread> readers = new ArrayList<>();
    try (Progress bar = Progress.of("runs", units)) {
      for (int i = 0; i < count; i++) {
        Process process = start(arguments.of(i, count));
        processes.add(process);
        Thread reader = new Thread(() -> follow(process, bar), "worker-" + i);
        reader.start();
        readers.add(reader);
      }
      for (Thread reader : readers) {
        reader.join();
      }
    } finally {
      processes.forEach(Process::destroy);
    }
    int failed = 0;
    for (Process process : processes) {
      failed += process.waitFor() == 0 ? 0 : 1;
    }
    Runtime.getRuntime().removeShutdownHook(stopAll);
    return failed;
  }

  /** Ctrl-C: each worker has written what it finished. */
  private void stopped(List<Process> processes) {
    // By their handles: destroyed as processes, their streams would fail under their readers.
    processes.forEach(process -> process.toHandle().destroy());
    err.println();
    err.println("stopped; what is finished is kept: start the same again to go on");
    err.flush();
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-XX:+UseSerialGC"); // one core each: parallel collectors would fight over it
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Workbench.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(false).start();
  }

  private void follow(Process process, Progress bar) {
    Thread errors =
        new Thread(
            () -> {
              try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                lines.lines().forEach(err::println);
                err.flush();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    errors.start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        bar.doing(line).step();
      }
      errors.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
