package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command against a stand-in for kubectl that keeps one object in a file. */
class ModeTest {
  @TempDir Path folder;
  private Path kubectl;
  private Path object;
  private final StringWriter out = new StringWriter();

  @BeforeEach
  void standIn() throws Exception {
    object = folder.resolve("object");
    kubectl = folder.resolve("kubectl");
    Files.writeString(
        kubectl,
        """
        #!/bin/sh
        cd %s
        shift # the time-out
        case "$1 $2" in
          "auth whoami") echo '{"status":{"userInfo":{"username":"alice"}}}' ;;
          "get configmap")
            [ -e away ] && { echo 'E1123 09:39:43.1 5523 memcache.go:265] "Unhandled Error"' >&2; echo 'The connection was refused' >&2; exit 1; }
            if [ -e object ]; then cat object; fi ;;
          "create -f") [ -e bare ] && { echo 'Error from server (NotFound): error when creating "STDIN": namespaces "berth-system" not found' >&2; exit 1; }; [ -e object ] && { echo 'Error from server (AlreadyExists): there' >&2; exit 1; }; cat > object ;;
          "replace -f")
            [ -e forbidden ] && { echo 'Error from server (Forbidden): bob may not' >&2; exit 1; }
            [ -e overtaken ] && { mv overtaken object; echo 'Error from server (Conflict): modified' >&2; exit 1; }
            cat > object ;;
        esac
        """
            .formatted(folder));
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));
  }

  private int mode(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--kubectl", kubectl.toString()));
    all.addAll(List.of(arguments));
    CommandLine command = CommandErrors.explained(new CommandLine(new Mode()));
    out.getBuffer().setLength(0);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    return command.execute(all.toArray(String[]::new));
  }

  @Test
  void whatIsTypedWronglyIsRefusedWithoutAskingTheCluster() throws Exception {
    Files.createFile(folder.resolve("away"));
    for (String[] wrong :
        List.of(
            new String[] {"fast"},
            new String[] {"canary"},
            new String[] {"canary", "150"},
            new String[] {"active", "--clip", "much"},
            new String[] {"active", "--clip", "2"})) {
      assertThat(mode(wrong)).as(out.toString()).isPositive();
      assertThat(out.toString()).contains(wrong[wrong.length - 1]).doesNotContain("ConfigMap");
    }
    assertThat(mode("shadow")).isPositive();
    assertThat(out.toString())
        .endsWith("cannot read ConfigMap berth-system/berth-mode: The connection was refused\n");
  }

  @Test
  void aChangeIsKeptWithWhoAndWhenAndShownAgain() throws Exception {
    assertThat(mode()).isZero();
    assertThat(out.toString()).contains("there is no ConfigMap berth-system/berth-mode");
    assertThat(mode("shadow")).isZero();
    assertThat(mode("canary", "10%", "--namespaces", "web,staging", "-l", "tier=batch")).isZero();
    String says =
        "canary: 10 % of the owners and all of namespaces web, staging; only pods with tier=batch";
    assertThat(out.toString()).startsWith(says);
    assertThat(Files.readString(object))
        .contains("\"changed-by\":\"alice\"", "\"percent\":\"10\"", "\"name\":\"berth-mode\"");
    assertThat(mode()).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(3).first().isEqualTo(says);
    assertThat(lines.get(1)).matches("  \\d{4}-.*Z alice: canary.*");
    assertThat(lines.get(2)).matches("  \\d{4}-.*Z alice: shadow");
  }

  @Test
  void theClipStaysUntilItIsChanged() throws Exception {
    assertThat(mode("--clip", "0")).isNotZero();
    assertThat(out.toString()).contains("name both, as in 'berth mode active --clip 0'");
    mode("active", "--clip", "0.005");
    mode("canary", "5");
    assertThat(out.toString()).startsWith("canary: 5 % of the owners; clip at most 0.005");
    mode("--clip", "0");
    assertThat(out.toString()).startsWith("canary: 5 % of the owners; clip at most 0\n");
    mode("--clip", "service");
    assertThat(out.toString()).startsWith("canary: 5 % of the owners\n");
  }

  @Test
  void labelsAloneMeanAllOwnersThatHaveThem() {
    mode("canary", "--max-priority", "1000");
    assertThat(out.toString())
        .startsWith("canary: 100 % of the owners; only priorities up to 1000");
  }

  @Test
  void somebodyElsesChangeInBetweenIsNotLost() throws Exception {
    mode("shadow");
    Files.writeString(
        folder.resolve("overtaken"),
        Files.readString(object).replace("alice: shadow", "bob: active"));
    assertThat(mode("off")).isZero();
    assertThat(Files.readString(object)).contains("alice: off").contains("bob: active");
  }

  @Test
  void nonsenseThatSomebodyWroteIsShownAndMended() throws Exception {
    Files.writeString(
        object,
        "{\"metadata\":{\"managedFields\":[{\"manager\":\"kubectl-edit\",\"time\":\"2026-11-22T10:00:00Z\"}]},"
            + "\"data\":{\"mode\":\"fast\"}}");
    mode();
    assertThat(out.toString())
        .contains("refused by every scheduler", "mode is \"fast\"")
        .contains("written past this command: 2026-11-22T10:00:00Z, by kubectl-edit");
    assertThat(mode("off")).isZero();
    mode();
    assertThat(out.toString()).startsWith("off");
  }

  @Test
  void whatSomebodyLeftInTheWayDoesNotKeepTheSwitchFromBeingTurnedOff() throws Exception {
    Files.writeString(object, "{\"binaryData\":{\"mode\":\"AAEC\"}}");
    assertThat(mode("off")).isZero();
    assertThat(Files.readString(object)).contains("\"mode\":\"off\"").doesNotContain("binaryData");
    Files.writeString(object, "{\"immutable\":true,\"data\":{\"mode\":\"active\"}}");
    Files.createFile(folder.resolve("forbidden"));
    assertThat(mode("off")).isNotZero();
    assertThat(out.toString())
        .contains("kubectl --namespace=berth-system delete configmap berth-mode, then again");
  }

  @Test
  void whatSomebodyWroteMovesNoCursor() throws Exception {
    Files.writeString(
        object, "{\"data\":{\"mode\":\"off\\u001b[2J\",\"log\":\"t1 \\u009b31malice: off\"}}");
    mode();
    assertThat(out.toString())
        .contains("mode is \"off?[2J\"", "  t1 ?31malice: off")
        .doesNotContainPattern("[\\p{Cc}&&[^\\s]]");
  }

  @Test
  void whoMayNotWriteChangesNothingAndIsTold() throws Exception {
    mode("shadow");
    Files.createFile(folder.resolve("forbidden"));
    assertThat(mode("active")).isNotZero();
    assertThat(out.toString()).contains("the mode is as it was", "bob may not");
    assertThat(Files.readString(object)).contains("\"mode\":\"shadow\"");
  }

  @Test
  void whereTheNamespaceIsMissingItIsToldHowToMakeIt() throws Exception {
    Files.createFile(folder.resolve("bare"));
    assertThat(mode("shadow")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(out.toString())
        .contains("\"berth-system\" not found: kubectl create namespace berth-system, then again");
  }

  @Test
  void withoutKubectlItSaysWhatToInstall() {
    kubectl = folder.resolve("nowhere");
    assertThat(mode("off")).isNotZero();
    assertThat(out.toString()).contains("install kubectl, or name it with --kubectl");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "canary -5% | percent is \"-5\": want a whole number from 0 to 100",
        "--namespaces web | name the mode, too, as in 'berth mode canary 10%'",
        "-l tier=batch --clip 0 | name the mode, too",
        "canary 5% --namespace=web | Unknown option: '--namespace=web'",
        "canary 5% web | Unmatched argument",
        "on | mode is \"on\": want active, canary, shadow or off",
        "canary | neither percent nor namespaces says of whom",
        "canary 10.5% | the share is '10.5%': want whole percent",
        "canary 101 | percent is \"101\"",
        "active 10% | percent is \"10\": want none, for mode is active and only a canary chooses pods",
        "off --namespaces web | namespaces is \"web\"",
        "active --clip x | --clip is 'x': want a number from 0 to 1, or service",
        "active --configmap berth-mode | want namespace/name",
      })
  void aMistakeIsToldWithItsMendAndChangesNothing(String arguments, String message) {
    assertThat(mode(arguments.split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(out.toString()).contains(message);
    assertThat(object).doesNotExist();
  }
}
