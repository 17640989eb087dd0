package dev.berth.policy.learning;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A learner in another process: told how much to do, it answers in seconds of CPU. */
final class Rival implements AutoCloseable {
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  /**
   * @param command of a program that does {@code "steps N"} and {@code "updates N"}
   */
  Rival(List<String> command) {
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commands = process.outputWriter(StandardCharsets.US_ASCII);
    answers =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** Times a second of CPU of what it is told to do so often. */
  double rate(String what, int times) {
    try {
      commands.write(what + " " + times + "\n");
      commands.flush();
      String seconds = answers.readLine();
      if (seconds == null) {
        throw new IOException(process.info() + " ended while asked for " + what);
      }
      return times / Double.parseDouble(seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
