package dev.berth.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How a decision is told: the option of every command that tells one, and the telling. */
final class DecisionOutput {
  /** How much is said. */
  enum Kind {
    TEXT,
    WIDE,
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "text, wide (every kept candidate, term by term) or json.")
  private Kind kind = Kind.TEXT;

  void print(JsonNode decision, PrintWriter out) {
    if (kind == Kind.JSON) {
      out.println(decision.toPrettyString());
    } else {
      new Explanation(decision).print(out, kind == Kind.WIDE);
    }
    out.flush();
  }
}
