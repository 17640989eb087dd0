package dev.berth.workbench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.gpu.agent.AgentModel;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.reward.Rewards;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.state.LearnedState;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.StrictJson;
import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.cli.Manifest;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.Plan;
import dev.berth.service.operator.Kubectl;
import dev.berth.service.operator.ModeMap;
import dev.berth.service.operator.ModeSetting;
import dev.berth.service.recording.Entry;
import dev.berth.service.recording.RecordingReader;
import dev.berth.simulator.experiment.Results;
import dev.berth.simulator.experiment.RunEvent;
import dev.berth.simulator.gpu.TraceReader;
import dev.berth.simulator.history.ArrivalsFile;
import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.scenario.Seeds;
import dev.berth.simulator.workload.DeploymentCsv;
import dev.berth.workbench.sweep.Grid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any input gives a value, or the one exception that the parser documents, which names the place;
 * never another exception, never a hang, never more memory than the input is worth.
 */
class ParserFuzzTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root"));
  private static final AgentConfig AGENT =
      AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of(4));
  private static final Duration HANGS = Duration.ofSeconds(60);

  private static final Plan PLAN = new Plan("dqn", "base", 600, 60, 1, 7, null);

  @TempDir Path folder;

  /** Takes apart what stands in a file. */
  @FunctionalInterface
  interface FileParser {
    void parse(Path file) throws IOException;
  }

  /**
   * @param refusal exception that the parser documents
   * @param rounds inputs, fewer than two seconds' worth
   * @param file what the parser wants it to be called
   */
  record FileCase(
      String name,
      List<byte[]> samples,
      FileParser parser,
      Class<?> refusal,
      int rounds,
      String file) {
    FileCase(String name, List<byte[]> samples, FileParser parser, Class<?> refusal, int rounds) {
      this(name, samples, parser, refusal, rounds, "fuzzed.yaml");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  record Word(String name, List<String> samples, Function<String, ?> parser) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Word> words() {
    List<String> durations = List.of("20ms", "5s", "2m", "1.5h", "7d");
    return List.of(
        new Word("quantity, CPU", List.of("250m", "0.5", "2", "1e3", "100u"), Quantity::milliCores),
        new Word("quantity, memory", List.of("2Gi", "512Mi", "1.5Ki", "10M"), Quantity::bytes),
        new Word("duration", durations, Units::duration),
        new Word("seconds", durations, Units::seconds),
        new Word("size", List.of("16MiB", "512KiB", "1GiB"), Units::bytes),
        new Word("share", List.of("5%", "0.05", "100 %"), Units::share),
        new Word("number", List.of("1.5", "-2e3"), Units::number),
        new Word("whole number", List.of("12", "-3", "8.0"), Units::whole),
        new Word("seeds", List.of("10", "9001-9010"), text -> Seeds.parse(text).list()),
        new Word("rewards", List.of("balance=1,overload=10", "pack=0.5"), Rewards::parse),
        new Word("parameters of an agent", List.of(AGENT.text()), AgentConfig::parse),
        new Word("mode of the schedulers", modes(), ParserFuzzTest::mode),
        new Word(
            "ConfigMap of the mode",
            List.of(
                "{\"data\":{\"mode\":\"active\",\"at\":\"2026-01-01T00:00:00Z\"},\"metadata\":"
                    + "{\"managedFields\":[{\"time\":\"2026-01-01T00:00:09Z\",\"manager\":\"k\"}]}}"),
            ParserFuzzTest::modeMap),
        new Word(
            "manifest",
            List.of(
                "kind: Pod\nmetadata: {name: a, namespace: b}\nspec:\n  containers:\n"
                    + "  - resources: {requests: {cpu: 250m, memory: 1Gi}}\n",
                "kind: CronJob\nspec: {jobTemplate: {spec: {template: {spec: {overhead: {cpu: 1},"
                    + " initContainers: [{resources: {limits: {cpu: 2}}}], containers: [{}]}}}}}"),
            text -> Manifest.parse(text, "manifest", "default")));
  }

  private static List<String> modes() {
    return List.of(
        "mode=canary\npercent=5\nselector=tier=batch,team in (a,b)\nmax-priority=1000",
        "mode=canary\nnamespaces=shop, web\nselector=!x,y notin (z)\nclip=0.03",
        "mode=shadow\nclip=0");
  }

  private static ModeSetting mode(String lines) {
    Map<String, String> data = new HashMap<>();
    for (String line : lines.lines().toList()) {
      int end = line.indexOf('=');
      data.put(end < 0 ? line : line.substring(0, end), end < 0 ? "" : line.substring(end + 1));
    }
    return ModeSetting.of(ModeSetting.of(data).data());
  }

  private static ModeMap.Found modeMap(String json) {
    Kubectl kubectl = (input, arguments) -> new Kubectl.Answer(0, json, "");
    return new ModeMap(kubectl, Clock.systemUTC(), "berth-system/berth-mode").read();
  }

  @ParameterizedTest(name = "{0}, seed 1")
  @MethodSource("words")
  void aWordIsAValueOrIsRefusedByName(Word word) {
    List<byte[]> samples = word.samples().stream().map(ParserFuzzTest::utf8).toList();
    Mutations mutations = new Mutations(1, samples);
    assertTimeoutPreemptively(
        HANGS,
        () -> {
          for (int i = 0; i < 10_000; i++) {
            String text = new String(mutations.next(), StandardCharsets.UTF_8);
            try {
              word.parser().apply(text);
            } catch (IllegalArgumentException | IllegalStateException e) {
              assertThat(e.getMessage()).as("message for '%s'", text).isNotBlank();
            } catch (Throwable e) {
              fail("%s: '%s'".formatted(word, text), e);
            }
          }
        });
  }

  static List<FileCase> files() throws IOException {
    Path examples = ROOT.resolve("docs/examples");
    byte[] nodes = Files.readAllBytes(examples.resolve("gpu-nodes.csv"));
    byte[] pods = Files.readAllBytes(examples.resolve("gpu-pods.csv"));
    String list = "name,pod_count,cpu_request,cpu_limit,mem_request,mem_limit,action\n";
    String results = "scenario,seen_in_training,policy,seed,metric,value\n";
    List<byte[]> scenarios = scenarios();
    return List.of(
        new FileCase("scenario", scenarios, ScenarioFile::read, TextException.class, 1_000),
        new FileCase(
            "configuration",
            List.of(
                Files.readAllBytes(ROOT.resolve("manifests/base/berth.yaml")),
                utf8("server: {port: 1, max-body: 8MiB}\ntrainer:\n  rewards: {balance: 1}\n"),
                utf8("prometheus:\n  nodes: {labels: [node, instance], regex: '(.*)'}\n")),
            file -> ConfigLoader.load(file, Map.of()),
            ConfigException.class,
            1_000),
        new FileCase(
            "grid of a sweep",
            List.of(Files.readAllBytes(ROOT.resolve("manifests/sweep/grid.yaml"))),
            Grid::read,
            TextException.class,
            1_000),
        new FileCase("nodes", heads(nodes), TraceReader::nodes, TextException.class, 1_500),
        new FileCase("pods", heads(pods), TraceReader::pods, TextException.class, 1_500),
        new FileCase(
            "pods, gzip",
            List.of(gzip(heads(pods).get(0))),
            TraceReader::pods,
            TextException.class,
            1_500),
        new FileCase(
            "Deployments",
            List.of(utf8(list + "web,5,1000m,1000m,2Gi,2Gi,add\n\"a,b\",1,1,1,1Mi,1Mi,reset\n")),
            DeploymentCsv::read,
            TextException.class,
            1_500),
        new FileCase(
            "results",
            List.of(utf8(results + "steady,false,default,9001,cost,0.05\na,true,b,1,power,NaN\n")),
            file -> new Results().read(file),
            TextException.class,
            1_500),
        new FileCase(
            "recorded run",
            List.of(
                utf8(
                    "{\"type\":\"run\",\"at\":0,\"scenario\":\"s\",\"daySeconds\":1.5,"
                        + "\"scrapeSeconds\":5}"),
                utf8(
                    "{\"type\":\"sample\",\"at\":1,\"node\":\"n\",\"windowStart\":0,"
                        + "\"windowEnd\":1,\"cpuCores\":0.5}"),
                utf8(
                    "{\"type\":\"bind\",\"at\":1,\"uid\":\"u\",\"owner\":\"o\",\"node\":\"n\","
                        + "\"cpuMilli\":1,\"memoryBytes\":2,\"nodeSelector\":{},\"tolerations\":[],"
                        + "\"scores\":{\"n\":1.0}}")),
            file -> StrictJson.read(Files.readAllBytes(file), RunEvent.class, file.toString()),
            TextException.class,
            1_500),
        new FileCase(
            "history",
            List.of(
                utf8(
                    "owner,pod,from,step,steps,cpu,memory\n"
                        + "shop,shop-1,1299110400,300,4,0.11 0.12 0.3 0.12,200 201 230 231\n"
                        + "shop,shop-1,1299113000,300,2,0.11 0.12,\n")),
            HistoryFile::read,
            TextException.class,
            1_500),
        new FileCase(
            "arrivals",
            List.of(
                utf8("at,owner,cpu,memory,lives\n0,shop,0.5,1024,3600 7200 inf\n9,b,1,2,inf\n")),
            ArrivalsFile::read,
            TextException.class,
            1_500),
        new FileCase(
            "recording",
            List.of(recording()),
            file -> {
              Files.write(file, gzip(Files.readAllBytes(file)));
              replayed(file);
            },
            IllegalArgumentException.class,
            1_500),
        new FileCase(
            "recording, gzip",
            List.of(gzip(recording())),
            ParserFuzzTest::replayed,
            IllegalArgumentException.class,
            1_500),
        new FileCase(
            "plan of an experiment",
            List.of(StrictJson.compact(PLAN), StrictJson.compact(PLAN.stoppedAt(9))),
            file -> new ExperimentFiles(file.getParent()).plan(),
            ExperimentFiles.Damaged.class,
            1_500,
            "experiment.json"),
        new FileCase(
            "pairs of an experiment",
            List.of(
                utf8(
                    "{\"start\":7.0,\"pairs\":[{\"number\":0,\"a\":[1,2,3],\"b\":[3,2,1]},"
                        + "{\"number\":1,\"a\":[1,2,3],\"b\":[3,2,1.5]}]}")),
            file -> new ExperimentFiles(file.getParent()).measured(PLAN),
            ExperimentFiles.Damaged.class,
            1_500,
            "experiment-pairs.json"));
  }

  private static byte[] recording() {
    Entry.Start start =
        new Entry.Start(
            Entry.SCHEMA, "berth 1", 0, "dqn", UsageConfig.DEFAULT, new byte[3], List.of());
    Entry.Samples samples =
        new Entry.Samples(1, List.of(new NodeSample("n", 0, 30, 1.5, 1e9, 5, 1)));
    List<Entry> entries =
        List.of(
            new Entry(start, null, null, null, null, null, null, null, null, null),
            new Entry(null, null, null, null, null, samples, null, null, null, null),
            new Entry(
                null, null, null, null, null, null, null, new Entry.Started(2, "uid"), null, null),
            new Entry(null, null, null, null, null, null, null, null, null, 3L));
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (Entry entry : entries) {
      lines.writeBytes(StrictJson.compact(entry));
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  private static void replayed(Path file) throws IOException {
    try (RecordingReader reader = RecordingReader.open(file)) {
      while (reader.next() != null) {
        assertThat(reader.line()).isPositive();
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed 1")
  @MethodSource("files")
  void aFileIsReadOrRefusedByItsName(FileCase kind) {
    Mutations mutations = new Mutations(1, kind.samples());
    Path file = folder.resolve(kind.file());
    assertTimeoutPreemptively(
        HANGS,
        () -> {
          int read = 0;
          for (int i = 0; i < kind.rounds(); i++) {
            byte[] content = mutations.next();
            Files.write(file, content);
            try {
              kind.parser().parse(file);
              read++;
            } catch (Throwable e) {
              if (!kind.refusal().isInstance(e)) {
                fail("%s:\n%s".formatted(kind, new String(content, StandardCharsets.UTF_8)), e);
              }
              assertThat(e.getMessage()).startsWith(file.toString());
            }
          }
          assertThat(read).as("inputs that were read").isPositive();
        });
  }

  /**
   * @param bytes a valid file
   */
  record Binary(String name, byte[] bytes, Function<byte[], ?> parser) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Binary> binaries() {
    Weights weights = AgentNetwork.initial(AGENT, new SplittableRandom(1));
    Adam.Moments moments = new Adam(weights.spec(), 1e-3).moments();
    byte[] balance = BalanceModel.of(AGENT, weights, moments, 1, 2).encode();
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    state.podBound(Pod.of("uid", "default/Deployment/web", 500, 1 << 20), "node", 1);
    byte[] learned = LearnedState.of(state, 2).encode();
    return List.of(
        new Binary("balance model", balance, BalanceModel::decode),
        new Binary("GPU model", ValueModel.shipped().encode(), AgentModel::read),
        new Binary("what was learned of owners", learned, LearnedState::decode));
  }

  /** With the checksum made right again, so that the body's reader must hold. */
  @ParameterizedTest(name = "{0}, seed 1")
  @MethodSource("binaries")
  void aBinaryFileIsReadOrRefused(Binary kind) {
    byte[] valid = kind.bytes();
    kind.parser().apply(valid);
    int body = valid.length - Long.BYTES;
    int head = Math.min(body, 600); // where settings and lengths stand
    byte[] start = Arrays.copyOf(valid, 12); // magic and format
    Mutations heads = new Mutations(1, List.of(Arrays.copyOfRange(valid, 12, head)));
    assertTimeoutPreemptively(
        HANGS,
        () -> {
          for (int i = 0; i < 1_500; i++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(start);
            bytes.writeBytes(heads.next());
            bytes.write(valid, head, body - head);
            try {
              kind.parser().apply(checksummed(bytes.toByteArray()));
            } catch (IllegalArgumentException e) {
              assertThat(e.getMessage()).isNotBlank();
            } catch (Throwable e) {
              fail("%s, round %d".formatted(kind, i), e);
            }
          }
        });
  }

  private static byte[] checksummed(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body, 0, body.length);
    return ByteBuffer.allocate(body.length + Long.BYTES).put(body).putLong(crc.getValue()).array();
  }

  private static List<byte[]> scenarios() throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (String name : List.of("heterogeneous", "demo", "burst", "deployments")) {
      all.add(Files.readAllBytes(ROOT.resolve("simulator/scenarios/" + name + ".yaml")));
    }
    try (Stream<Path> faults = Files.list(ROOT.resolve("simulator/scenarios/faults"))) {
      for (Path file : faults.sorted().toList()) {
        all.add(Files.readAllBytes(file));
      }
    }
    return all;
  }

  private static List<byte[]> heads(byte[] csv) {
    String text = new String(csv, StandardCharsets.UTF_8);
    return List.of(utf8(String.join("\n", text.lines().limit(6).toList())));
  }

  private static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text);
    }
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
