package dev.berth.service.operator;

import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The kubectl on this machine, and the options that say which cluster is meant. */
public final class KubectlProgram implements Kubectl {
  private static final long PATIENCE_SECONDS = 30;

  /** What client-go logs of every try, before kubectl says in a line what is wrong. */
  private static final Pattern KLOG = Pattern.compile("(?m)^[EWI]\\d{4} .*\\R");

  /** What fails is thrown by the future. */
  private static final Executor READERS = new Tasks(task -> () -> {}).threadPerTask("kubectl");

  @Option(
      names = "--kubectl",
      paramLabel = "PROGRAM",
      defaultValue = "kubectl",
      description = "The kubectl to use. Default: ${DEFAULT-VALUE} of the PATH.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String program;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "As of kubectl. Default: $KUBECONFIG, or ~/.kube/config.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "As of kubectl. Default: the current one.")
  private @Nullable String context;

  @Override
  public Answer run(@Nullable String input, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(program, "--request-timeout=10s"));
    if (kubeconfig != null) {
      command.add("--kubeconfig=" + kubeconfig);
    }
    if (context != null) {
      command.add("--context=" + context);
    }
    command.addAll(arguments);
    try {
      return answer(new ProcessBuilder(command).start(), input);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot run " + program + ": install kubectl, or name it with --kubectl", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + program + " ran", e);
    }
  }

  private Answer answer(Process process, @Nullable String input) throws InterruptedException {
    CompletableFuture<String> out = text(process.getInputStream());
    CompletableFuture<String> error = text(process.getErrorStream());
    try (var stdin = process.getOutputStream()) {
      if (input != null) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) { // it ended without reading all: its exit says why
      return ended(process, out, error);
    }
    return ended(process, out, error);
  }

  private Answer ended(
      Process process, CompletableFuture<String> out, CompletableFuture<String> error)
      throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return new Answer(1, "", program + " did not end within " + PATIENCE_SECONDS + " s");
    }
    return new Answer(process.exitValue(), out.join(), KLOG.matcher(error.join()).replaceAll(""));
  }

  private static CompletableFuture<String> text(InputStream in) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        READERS);
  }
}
