package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OutputPlaceTest {
  @TempDir private Path folder;

  @Test
  void aFolderIsMadeAndNothingIsLeftInIt() throws IOException {
    Path deep = folder.resolve("a/b");
    OutputPlace.folder(deep);
    assertThat(deep).isEmptyDirectory();
  }

  @Test
  void aFileIsLeftAsItWas() throws IOException {
    Path there = Files.writeString(folder.resolve("there"), "kept");
    OutputPlace.file(there);
    assertThat(there).hasContent("kept");
    Path missing = folder.resolve("missing");
    OutputPlace.file(missing);
    assertThat(missing).doesNotExist();
  }

  @Test
  void whereNothingCanBeWrittenIsNamedWithTheReason() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> OutputPlace.folder(file.resolve("below")))
        .hasMessageStartingWith("cannot write " + file.resolve("below") + ": ")
        .hasMessageEndingWith(": name another place");
    assertThatThrownBy(() -> OutputPlace.file(folder.resolve("no/file")))
        .hasMessageContaining("no such file or folder");
    assertThatThrownBy(() -> OutputPlace.file(folder)).hasMessageEndingWith("name a file");
  }

  @Test
  void aReplayThatCouldNotWriteItsDecisionsDoesNotBegin() {
    StringWriter err = new StringWriter();
    int code =
        CommandErrors.explained(new CommandLine(new Replay()))
            .setErr(new PrintWriter(err))
            .execute("no-recording", "--decisions", folder.resolve("no/file.csv").toString());
    assertThat(code).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(err.toString()).startsWith("replay: cannot write " + folder.resolve("no/file.csv"));
  }

  @Test
  void aModelThatIsNoneIsNamed() throws IOException {
    Path readme = Files.writeString(folder.resolve("README.md"), "# no model");
    StringWriter err = new StringWriter();
    int code =
        CommandErrors.explained(new CommandLine(new Replay()))
            .setErr(new PrintWriter(err))
            .execute("no-recording", "--model", readme.toString());
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).startsWith("--model " + readme + " is no model");
  }
}
