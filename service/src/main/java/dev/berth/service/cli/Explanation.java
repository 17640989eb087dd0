package dev.berth.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.service.scoring.Scorer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A stored decision in words: where the pod went, why there and not to the runner-up, what that
 * rests on, and what came of it. Scores and terms are printed in thousandths of a node's CPU, by
 * which a placement evens out usage or keeps a node from its limit.
 */
final class Explanation {
  private static final int MOVED = 3;

  /** Nodes that a line names. */
  private static final int NAMED = 3;

  /** What would be printed as zero. */
  private static final double NOTHING = 0.5e-6;

  private static final List<String> TERMS = List.of("balance", "overload", "hedge", "memory");

  private final JsonNode decision;
  private final JsonNode nodes;
  private final JsonNode terms;

  /** Whether nobody was placed. */
  private final boolean whatIf;

  /** Row of the node the pod went to, of the best one while nobody knows; -1 if it was not kept. */
  private final int taken;

  /** Row of the best of the others; -1 when there is none. */
  private final int runnerUp;

  Explanation(JsonNode decision) {
    this.decision = decision;
    nodes = decision.path("nodes");
    terms = decision.path("terms");
    whatIf = decision.path("decision").asText().equals(Scorer.WHAT_IF);
    String bound = decision.path("node").asText("");
    taken = bound.isEmpty() || bound.equals("null") ? 0 : row(bound);
    runnerUp = rows() < 2 ? -1 : taken == 0 ? 1 : 0;
  }

  private int rows() {
    return nodes.path("node").size();
  }

  private int row(String node) {
    for (int i = 0; i < rows(); i++) {
      if (name(i).equals(node)) {
        return i;
      }
    }
    return -1;
  }

  private String name(int row) {
    return nodes.path("node").path(row).asText();
  }

  private int score(int row) {
    return nodes.path("score").path(row).asInt();
  }

  void print(PrintWriter out, boolean wide) {
    lines().forEach(out::println);
    if (wide) {
      out.println();
      table().forEach(out::println);
    }
  }

  /** About ten. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, %s: %s"
            .formatted(decision.path("pod").asText(), decision.path("at").asText(), where()));
    lines.add(ranked());
    if (decision.path("reason").isTextual()) {
      lines.add("neutral: " + decision.path("reason").asText());
    }
    if (terms.isObject() && taken >= 0) {
      if (runnerUp >= 0) {
        lines.add(difference());
      }
      lines.add(expected(taken));
      if (runnerUp >= 0) {
        lines.add(expected(runnerUp));
      }
      lines.add(podAdds());
    }
    if (nodes.has("residual")) {
      lines.add(correction());
    }
    lines.add(samples());
    withoutMemory().ifPresent(lines::add);
    if (!whatIf) {
      withoutBerth().ifPresent(lines::add);
      lines.add(who());
      lines.add(outcome());
    }
    return lines;
  }

  /** Who came last whatever else spoke for it. */
  private Optional<String> withoutMemory() {
    List<String> full = new ArrayList<>();
    for (int i = 0; i < rows(); i++) {
      if (full(i)) {
        full.add(name(i));
      }
    }
    if (full.isEmpty()) {
      return Optional.empty();
    }
    String which =
        String.join(", ", full.subList(0, Math.min(NAMED, full.size())))
            + (full.size() > NAMED ? " and %d more".formatted(full.size() - NAMED) : "");
    return Optional.of(
        full.size() == rows()
            ? "none of the %d candidates kept is expected to have memory left for it"
                .formatted(rows())
            : "behind all others, for they are expected to have no memory left for it: " + which);
  }

  /** Whether its memory was expected not to hold the pod. */
  private boolean full(int row) {
    JsonNode room = nodes.path("memoryRoom").path(row);
    return room.isNumber() && room.asDouble() < 1;
  }

  /** As its scheduler told, else by the stock profile as the service reckons it. */
  private Optional<String> withoutBerth() {
    boolean watched = decision.path("mode").asText().equals("shadow");
    if (decision.path("node").isTextual() && (watched || decision.path("reason").isTextual())) {
      return Optional.of(
          "without Berth: the same node, for Berth "
              + (watched ? "only watched" : "had no opinion"));
    }
    JsonNode told = decision.path("without");
    if (told.isObject()) {
      return Optional.of(without(told, "other plugins' sum"));
    }
    JsonNode reckoned = decision.path("reckoned");
    return reckoned.isObject()
        ? Optional.of(without(reckoned, "the stock profile's sum as reckoned here,"))
        : Optional.empty();
  }

  private String without(JsonNode others, String whose) {
    String node = others.path("node").asText();
    long sum = others.path("sum").asLong();
    long ties = others.path("ties").asLong();
    String among = ties > 1 ? ", among %d alike".formatted(ties) : "";
    return node.equals(decision.path("node").asText())
        ? "without Berth: the same node%s (%s %d)".formatted(among, whose, sum)
        : "without Berth: %s%s (%s %d against %d)"
            .formatted(node, among, whose, sum, others.path("here").asLong());
  }

  private String outcome() {
    List<String> known = new ArrayList<>();
    JsonNode measured = decision.path("measured");
    if (measured.isObject()) {
      known.add(
          "%s used %s after %d min, %s without this pod and later ones"
              .formatted(
                  decision.path("node").asText(),
                  percent(measured.path("usage")),
                  Math.round(measured.path("afterSeconds").asDouble() / 60),
                  percent(measured.path("without"))));
      if (measured.path("error").isNumber()) {
        double error = 100 * measured.path("error").asDouble();
        known.add(String.format(Locale.ROOT, "%+.1f points against the forecast", error));
      }
    }
    if (decision.path("reward").isNumber()) {
      known.add(
          "reward %s against the mean of the candidates"
              .formatted(signed(decision.path("reward").asDouble())));
    }
    return known.isEmpty()
        ? "what came of it is not measured (yet): that takes the pod's bind and some minutes"
        : "since then measured: " + String.join("; ", known);
  }

  private static String percent(JsonNode fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction.asDouble());
  }

  private String where() {
    if (whatIf) {
      return "would go to " + name(0);
    }
    return decision.path("node").isNull()
        ? "not bound yet as far as is known"
        : "went to " + decision.path("node").asText();
  }

  private String who() {
    return "decided by %s, model version %d, mode %s, asked by %s, put first with probability %s%s"
        .formatted(
            decision.path("policy").asText(),
            decision.path("modelVersion").asLong(),
            decision.path("mode").asText(),
            decision.path("scheduler").asText("a scheduler"),
            digits(decision.path("propensity").asDouble()),
            decision.path("explored").asBoolean() ? ", to learn from it" : "");
  }

  /** There were more candidates than were kept. */
  private boolean cut() {
    return rows() < decision.path("candidates").asInt();
  }

  private String ranked() {
    int candidates = decision.path("candidates").asInt();
    if (taken < 0) {
      return cut() && score(rows() - 1) == score(0)
          ? "of %d candidates more than %d were the best and no more were kept; it may be one of them"
              .formatted(candidates, rows())
          : "it was not among the %d best of %d candidates: other plugins' scores decided"
              .formatted(rows(), candidates);
    }
    int better = 0;
    int ties = 0;
    for (int i = 0; i < rows(); i++) {
      better += score(i) > score(taken) ? 1 : 0;
      ties += score(i) == score(taken) ? 1 : 0;
    }
    String place = better == 0 ? "the best" : "number " + (better + 1);
    String rest =
        better > 0
            ? decision.path("mode").asText().equals("shadow")
                ? "; it was asked in shadow, other plugins decided"
                : "; other plugins' scores decided"
            : ties > 1
                ? ", with %s%d others"
                    .formatted(
                        cut() && score(rows() - 1) == score(taken) ? "at least " : "", ties - 1)
                : "";
    return "%s scored %d of 100, %s of %d candidates%s"
        .formatted(name(taken), score(taken), place, candidates, rest);
  }

  private String difference() {
    double all = 0;
    StringBuilder parts = new StringBuilder();
    for (String term : TERMS) {
      double by = sum(term, taken) - sum(term, runnerUp);
      all += by;
      parts.append(", %s %s".formatted(term, thousandths(by)));
    }
    if (nodes.has("residual")) {
      double by = value("residual", taken) - value("residual", runnerUp);
      all += by;
      parts.append(", learned ").append(thousandths(by));
    }
    return "%s against %s, which scored %d: %s%s (thousandths; above zero speaks for %s)"
        .formatted(
            name(taken), name(runnerUp), score(runnerUp), thousandths(all), parts, name(taken));
  }

  private String expected(int row) {
    return "%s was expected at %s"
        .formatted(name(row), byHorizon(nodes.path("expected").path(row)));
  }

  private String podAdds() {
    JsonNode basis = decision.path("forecast");
    return "all candidates in the mean at %s; the pod was expected to use %s cores"
        .formatted(
            byHorizon(basis.path("mean")), digits(basis.path("podCores").path(0).asDouble()));
  }

  private String byHorizon(JsonNode fractions) {
    JsonNode horizons = decision.path("forecast").path("horizonsSeconds");
    StringBuilder text = new StringBuilder();
    for (int h = 0; h < fractions.size(); h++) {
      long minutes = Math.round(horizons.path(h).asDouble() / 60);
      text.append(h == 0 ? "" : ", ")
          .append(percent(fractions.path(h)))
          .append(minutes == 0 ? " now" : " in " + minutes + " min");
    }
    return text.toString();
  }

  private String correction() {
    int base = 0;
    for (int i = 1; i < rows(); i++) {
      boolean better = full(i) == full(base) ? value("base", i) > value("base", base) : full(base);
      base = better ? i : base;
    }
    String effect =
        base == 0 || score(base) == score(0)
            ? "the learned correction did not change who is first"
            : "the learned correction put %s before %s, the first by the base"
                .formatted(name(0), name(base));
    return effect + (cut() ? " of the candidates kept" : "") + moved();
  }

  /** The three features by which the learned correction differs most between the two nodes. */
  private String moved() {
    JsonNode by = decision.path("moved").path("by");
    if (taken < 0 || runnerUp < 0 || !by.path(taken).isArray() || !by.path(runnerUp).isArray()) {
      return "";
    }
    Map<String, Double> moved = new HashMap<>();
    JsonNode names = decision.path("moved").path("feature");
    for (int k = 0; k < names.size(); k++) {
      double difference = by.path(taken).path(k).asDouble() - by.path(runnerUp).path(k).asDouble();
      moved.put(names.path(k).asText(), difference);
    }
    String most =
        moved.entrySet().stream()
            .filter(e -> Math.abs(e.getValue()) > NOTHING)
            .sorted(Comparator.comparingDouble(e -> -Math.abs(e.getValue())))
            .limit(MOVED)
            .map(e -> e.getKey() + " " + thousandths(e.getValue()))
            .collect(Collectors.joining(", "));
    return most.isEmpty() ? "" : "; what moved it most: " + most;
  }

  private String samples() {
    double oldest = 0;
    int without = 0;
    JsonNode ages = nodes.path("sampleAgeSeconds");
    for (JsonNode age : ages) {
      oldest = Math.max(oldest, age.asDouble(0));
      without += age.isNull() ? 1 : 0;
    }
    if (without == ages.size()) {
      return "none of the %d candidates kept had a sample".formatted(without);
    }
    String first =
        taken < 0
            ? ""
            : ages.path(taken).isNumber()
                ? "the sample of %s was %.0f s old; "
                    .formatted(name(taken), ages.path(taken).asDouble())
                : name(taken) + " had no sample; ";
    return first
        + "of the %d candidates kept %d had none, the oldest was of %.0f s before"
            .formatted(ages.size(), without, oldest);
  }

  private double value(String column, int row) {
    return nodes.path(column).path(row).asDouble();
  }

  private double sum(String term, int row) {
    double sum = 0;
    for (JsonNode each : terms.path(term).path(row)) {
      sum += each.asDouble();
    }
    return sum;
  }

  /** Every candidate that was kept, best first. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%-24s %5s %9s %9s %9s %9s %9s %9s %9s %7s"
            .formatted(
                "NODE",
                "SCORE",
                "BASE",
                "BALANCE",
                "OVERLOAD",
                "HEDGE",
                "MEMORY",
                "LEARNED",
                "NOW",
                "AGE"));
    for (int i = 0; i < rows(); i++) {
      JsonNode now = nodes.path("expected").path(i).path(0);
      JsonNode age = nodes.path("sampleAgeSeconds").path(i);
      lines.add(
          String.format(
              Locale.ROOT,
              "%-24s %5d %9s %9s %9s %9s %9s %9s %9s %7s",
              name(i),
              score(i),
              nodes.path("base").path(i).isNumber() ? thousandths(value("base", i)) : "-",
              term("balance", i),
              term("overload", i),
              term("hedge", i),
              term("memory", i),
              nodes.path("residual").path(i).isNumber() ? thousandths(value("residual", i)) : "-",
              now.isNumber() ? String.format(Locale.ROOT, "%.1f %%", 100 * now.asDouble()) : "-",
              age.isNumber() ? Math.round(age.asDouble()) + " s" : "-"));
    }
    return lines;
  }

  private String term(String term, int row) {
    return terms.path(term).path(row).isArray() ? thousandths(sum(term, row)) : "-";
  }

  private static String thousandths(double preference) {
    return String.format(Locale.ROOT, "%+.3f", 1000 * preference);
  }

  private static String signed(double value) {
    return String.format(Locale.ROOT, "%+.4f", value);
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
