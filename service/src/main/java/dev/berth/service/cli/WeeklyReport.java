package dev.berth.service.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.text.Units;
import dev.berth.service.regret.Report;
import dev.berth.service.regret.ReportText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth report}: whether Berth would have placed better, and what to do about it. */
@Command(
    name = "report",
    description = {
      "Hold the nodes that pods got against those Berth wanted, by the forecast and by what was"
          + " measured five minutes later.",
      "The last line recommends what to do next, and says why.",
    })
public final class WeeklyReport implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  /** How it is said. */
  enum Output {
    TEXT,
    JSON
  }

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "7d",
      description = "How far back, such as 24h or 7d (default: ${DEFAULT-VALUE}).")
  private String since = "7d";

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "text or json.")
  private Output output = Output.TEXT;

  @Mixin private ServiceClient service = new ServiceClient();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    try {
      Units.duration(since); // wrong whether or not a service answers
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--since: " + e.getMessage(), e);
    }
    JsonNode report = service.get("/v1/report?since=" + ServiceClient.encoded(since));
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(report.toPrettyString());
    } else {
      ReportText.lines(JSON.treeToValue(report, Report.class)).forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
