package dev.berth.simulator.scenario;

import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import dev.berth.simulator.usage.Recorded;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.Arrivals;
import dev.berth.simulator.workload.DeploymentGenerator.Sizes;
import dev.berth.simulator.workload.Rhythm;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads scenario files; docs/scenarios.md describes every key. */
public final class ScenarioFile {
  private ScenarioFile() {}

  /**
   * Reads one scenario.
   *
   * @throws TextException with file, line, key and fix
   * @throws MissingHistoryException when it plays data that is not on this machine
   */
  public static Scenario read(Path file) throws IOException {
    return read(file, new Histories());
  }

  private static Scenario read(Path file, Histories histories) throws IOException {
    StrictYaml yaml =
        StrictYaml.parse(Files.readAllBytes(file), file.toString())
            .orElseThrow(() -> mistake(file, 1, "the file is empty: see docs/scenarios.md"));
    return scenario(file, yaml, histories);
  }

  /**
   * All scenarios below a folder, by name. A single file is a list of one.
   *
   * @param skipped is told of those whose data is not on this machine
   */
  public static List<Scenario> readAll(Path folder, Consumer<MissingHistoryException> skipped)
      throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
    if (files.isEmpty()) {
      throw mistake(folder, 0, "no .yaml file below it");
    }
    List<Scenario> scenarios = new ArrayList<>();
    Histories histories = new Histories();
    for (Path file : files) {
      Scenario scenario;
      try {
        scenario = read(file, histories);
      } catch (MissingHistoryException e) {
        skipped.accept(e);
        continue;
      }
      if (scenarios.stream().anyMatch(s -> s.name().equals(scenario.name()))) {
        throw mistake(file, 1, "a second scenario of this name: rename the file");
      }
      scenarios.add(scenario);
    }
    return scenarios;
  }

  /** The same, where all data must be there. */
  public static List<Scenario> readAll(Path folder) throws IOException {
    return readAll(
        folder,
        missing -> {
          throw missing;
        });
  }

  private static TextException mistake(Path file, int line, String what) {
    return new TextException(file.toString(), line, "", what, null);
  }

  private static Scenario scenario(Path file, StrictYaml y, Histories histories) {
    String fileName = String.valueOf(file.getFileName());
    @Nullable Path folder = file.toAbsolutePath().getParent();
    double duration = y.seconds("duration", 10_800);
    double warmup = y.seconds("warmup", Math.min(2400, duration / 4));
    List<NodeGroup> nodes = new ArrayList<>();
    for (StrictYaml group : y.children("nodes")) {
      nodes.add(nodeGroup(group, nodes.size()));
    }
    if (nodes.isEmpty()) {
      throw y.missing("nodes", "nodes: [{count: 10, cpu: 64, memory: 256Gi}]");
    }
    List<Fault> faults = new ArrayList<>();
    y.children("faults").forEach(fault -> faults.add(fault(fault, nodes)));
    StrictYaml workload = y.child("workload");
    if (workload == null) {
      throw y.missing("workload", "workload: {kind: steady, load: 50%}");
    }
    WorkloadSpec spec = workload(workload, file, histories);
    StrictYaml usageKeys = y.child("usage");
    UsageParameters drawn =
        UsageKeys.usage(usageKeys, UsageKeys.lifetime(y.child("lifetime"), spec.kind()));
    Recorded recorded = UsageKeys.recorded(usageKeys, file, duration, histories);
    UsageParameters usage = recorded == null ? drawn : drawn.withRecorded(recorded);
    boolean independent =
        y.scalar(
            "independent",
            recorded != null || spec.arrivals() != null || drawn.nature() != null,
            ScenarioFile::yesOrNo);
    if (usageKeys != null) {
      usageKeys.finish();
    }
    String description = y.text("description", "");
    Seeds seeds = y.scalar("seeds", Seeds.DEFAULT, Seeds::parse);
    MetricsSpec metrics = ObservationKeys.metrics(y.child("metrics"));
    OutcomeSpec outcomes = ObservationKeys.outcomes(y.child("outcomes"));
    double timeouts = y.share("timeouts", 0);
    int percentage = y.whole("percentage_of_nodes_to_score", 0);
    y.finish();
    return y.checked(
        "duration",
        () ->
            new Scenario(
                fileName.replaceFirst("\\.yaml$", ""),
                description,
                folder != null && folder.endsWith("train"),
                duration,
                warmup,
                seeds,
                nodes,
                spec,
                usage,
                metrics,
                outcomes,
                timeouts,
                faults,
                independent,
                percentage));
  }

  private static NodeGroup nodeGroup(StrictYaml y, int index) {
    List<Taint> taints = new ArrayList<>();
    for (StrictYaml t : y.children("taints")) {
      taints.add(new Taint(t.text("key", ""), t.text("value", "")));
      t.finish();
    }
    if (!y.has("cpu") || !y.has("memory")) {
      throw y.missing(y.has("cpu") ? "memory" : "cpu", "cpu: 64, memory: 256Gi");
    }
    String name = y.text("name", index == 0 ? "node" : "node-" + (char) ('a' + index));
    int count = y.whole("count", 1);
    long cpu = y.scalar("cpu", 0L, Quantity::milliCores);
    long memory = y.scalar("memory", 0L, Quantity::bytes);
    int pods = y.whole("pods", 110);
    List<Double> speeds = y.list("speed", ScenarioFile::speed);
    int zones = y.whole("zones", 0);
    int perRack = y.whole("servers_per_rack", 0);
    var labels = y.strings("labels");
    double joins = y.seconds("joins", 0);
    double leaves = y.seconds("leaves", Double.POSITIVE_INFINITY);
    y.finish();
    return y.checked(
        "count",
        () ->
            new NodeGroup(
                name,
                count,
                cpu,
                memory,
                pods,
                speeds.isEmpty() ? List.of(1.0) : speeds,
                zones,
                perRack,
                labels,
                taints,
                joins,
                leaves));
  }

  private static WorkloadSpec workload(StrictYaml y, Path file, Histories histories) {
    Kind kind = y.choice("kind", Kind.class, null);
    if (!y.has("load")) {
      throw y.missing("load", "load: 50%");
    }
    double load = y.share("load", 0);
    if (kind == Kind.RECORDED) {
      return recorded(y, load, file, histories);
    }
    WorkloadSpec d = y.checked("load", () -> WorkloadSpec.of(kind, load));
    List<Integer> replicas = y.list("replicas", Units::whole);
    List<Long> cpu = y.list("cpu", Quantity::milliCores);
    List<Long> memory = y.list("memory_per_core", Quantity::bytes);
    double newOwners = y.share("new_owners", d.newOwners());
    double latency = y.share("latency_share", d.latencyShare());
    double selector = y.share("selector_share", d.selectorShare());
    Sizes sizes = y.choice("sizes", Sizes.class, d.sizes());
    int resets = y.whole("resets", d.resets());
    Rhythm rhythm = rhythm(y.child("rhythm"));
    y.finish();
    return y.checked(
        "replicas",
        () ->
            new WorkloadSpec(
                kind,
                load,
                replicas.isEmpty() ? d.minReplicas() : replicas.get(0),
                replicas.isEmpty() ? d.maxReplicas() : replicas.get(replicas.size() - 1),
                cpu.isEmpty() ? d.cpuMilli() : cpu,
                memory.isEmpty() ? d.memoryPerCoreMin() : memory.get(0),
                memory.isEmpty() ? d.memoryPerCoreMax() : memory.get(memory.size() - 1),
                newOwners,
                latency,
                selector,
                sizes,
                resets,
                rhythm,
                null));
  }

  private static WorkloadSpec recorded(StrictYaml y, double load, Path file, Histories histories) {
    String name = y.text("arrivals", "");
    y.finish();
    if (name.isEmpty()) {
      throw y.missing("arrivals", "arrivals: arrivals.csv");
    }
    Path folder = file.toAbsolutePath().resolveSibling("");
    Arrivals arrivals = histories.arrivals(name, folder, file + ":" + y.line("arrivals"));
    return y.checked("load", () -> WorkloadSpec.recorded(load, arrivals));
  }

  private static Rhythm rhythm(@Nullable StrictYaml y) {
    Rhythm d = Rhythm.DEFAULT;
    if (y == null) {
      return d;
    }
    double first = y.share("first", d.first());
    double firstEvery = y.seconds("first_every", d.firstEverySeconds());
    double pause = y.seconds("pause", d.pauseSeconds());
    double every = y.seconds("every", d.everySeconds());
    y.finish();
    return y.checked("first", () -> new Rhythm(first, firstEvery, pause, every));
  }

  private static Fault fault(StrictYaml y, List<NodeGroup> nodes) {
    Fault.Kind kind = y.choice("kind", Fault.Kind.class, null);
    boolean perNode =
        switch (kind) {
          case STALE_NODE, LABEL_RENAME, CLOCK_SKEW, NAN_SAMPLES -> true;
          case PROMETHEUS_DOWN, SERVICE_SLOW -> false;
        };
    String node = perNode ? y.scalar("node", "*", s -> existing(s, nodes)) : "*";
    double from = y.seconds("from", 0);
    double to = y.seconds("to", Double.POSITIVE_INFINITY);
    double amount =
        switch (kind) {
          case CLOCK_SKEW -> y.seconds("by", 120);
          case SERVICE_SLOW -> y.share("share", 1);
          case PROMETHEUS_DOWN, STALE_NODE, LABEL_RENAME, NAN_SAMPLES -> 0;
        };
    y.finish();
    return y.checked("kind", () -> new Fault(kind, node, from, to, amount));
  }

  private static boolean yesOrNo(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + text + "': write true or false");
    };
  }

  private static double speed(String text) {
    double value = Units.number(text);
    if (!(value > 0)) {
      throw new IllegalArgumentException(
          "'" + text + "' is no speed: write a number above 0, such as 0.7");
    }
    return value;
  }

  private static String existing(String name, List<NodeGroup> groups) {
    for (NodeGroup g : groups) {
      for (int i = 0; i < g.count(); i++) {
        if (name.equals(g.name() + "-" + i)) {
          return name;
        }
      }
    }
    NodeGroup g = groups.get(0);
    throw new IllegalArgumentException(
        "no node '"
            + name
            + "'; names run from "
            + g.name()
            + "-0 to "
            + g.name()
            + "-"
            + (g.count() - 1));
  }
}
