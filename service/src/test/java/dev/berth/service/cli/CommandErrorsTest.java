package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.prometheus.PrometheusClient;
import dev.berth.service.prometheus.QueryException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandErrorsTest {

  @Test
  void ofAFileThatCannotBeUsedThePathAndTheReasonAreTold() {
    assertThat(told(new AccessDeniedException("/etc/shadow")))
        .isEqualTo("copy: /etc/shadow: access denied");
    assertThat(told(new FileSystemException("/full/file", null, "No space left on device")))
        .isEqualTo("copy: /full/file: No space left on device");
    assertThat(told(new NoSuchFileException("nowhere")))
        .isEqualTo("copy: no such file or folder: nowhere: check the path");
  }

  @Test
  void whatPrometheusDoesNotAnswerIsToldInALineWithoutJavasNames() {
    assertThat(told(new IOException("no connection: java.net.ConnectException")))
        .isEqualTo("copy: no connection");
    PrometheusConfig nobody = PrometheusConfig.at("http://127.0.0.1:1");
    assertThatThrownBy(() -> new PrometheusClient(nobody).query("up"))
        .isInstanceOfSatisfying(
            QueryException.class,
            e -> {
              assertThat(e).hasMessageEndingWith("/api/v1/query: nothing listens there");
              assertThat(told(e)).isEqualTo("copy: " + e.getMessage());
            });
  }

  @Test
  void aWrongValueIsAWrongOptionWhoeverFindsOut() {
    assertThat(told(new IllegalArgumentException("what is x"), CommandLine.ExitCode.USAGE))
        .isEqualTo("what is x%nsee copy --help".formatted());
  }

  private static String told(Exception trouble) {
    return told(trouble, CommandLine.ExitCode.SOFTWARE);
  }

  private static String told(Exception trouble, int expected) {
    StringWriter err = new StringWriter();
    int code =
        CommandErrors.explained(new CommandLine(new Copy(trouble)))
            .setErr(new PrintWriter(err, true))
            .execute("anything");
    assertThat(code).isEqualTo(expected);
    return err.toString().strip();
  }

  @Command(name = "copy")
  private static final class Copy implements Callable<Integer> {
    private final Exception trouble;

    @CommandLine.Parameters private String what = "";

    private Copy(Exception trouble) {
      this.trouble = trouble;
    }

    @Override
    public Integer call() throws Exception {
      throw trouble;
    }
  }
}
