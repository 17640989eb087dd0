package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BerthTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aServiceThatStartsReadsNoOtherCommand() {
    assertThat(Berth.commandLine("serve", "--check").getSubcommands()).containsOnlyKeys("serve");
  }

  @Test
  void helpListsEveryCommand() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("serve", "models", "doctor", "what-if", "replay");
  }

  @Test
  void helpOfServeIsThatOfTheWholeCommandLine() {
    run("serve", "--help");
    String alone = out.toString();
    out.getBuffer().setLength(0);
    run("help", "serve");
    assertThat(alone).contains("Usage: berth serve", "--check", "--version");
    assertThat(out).hasToString(alone);
  }

  @Test
  void whoNamesNoCommandSeesWhichThereAre() {
    assertThat(run()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("serve", "models", "doctor", "what-if", "replay");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab", "models"})
  void whoNamesNoSubcommandIsToldToDoSo(String command) {
    assertThat(run(command)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("Missing required subcommand", "see berth " + command);
  }

  @Test
  void aCommandThatDoesNotExistIsAnsweredByOneThatDoes() {
    assertThat(run("serv")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("Did you mean", "berth serve");
  }

  private int run(String... args) {
    return Berth.commandLine(args)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
