package dev.berth.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.policy.text.Units;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class ConfigLoaderTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root"));

  @Test
  void anEmptyFileGivesTheDefaults() {
    assertThat(parse("")).isEqualTo(ServiceConfig.defaults());
  }

  @Test
  void everyKeyCanBeSetInTheFile() {
    StringBuilder yaml = new StringBuilder();
    Map<String, String> other = other();
    // Dotted keys become sections.
    Map<String, Object> tree = new LinkedHashMap<>();
    other.forEach((key, value) -> put(tree, key, value));
    write(tree, "", yaml);
    assertThat(values(parse(yaml.toString()))).isEqualTo(other);
  }

  @Test
  void everyKeyCanBeSetInTheEnvironmentWhichWinsOverTheFile() {
    Map<String, String> environment = new HashMap<>();
    other().forEach((key, value) -> environment.put(Binder.variable(key), value));
    ServiceConfig config = parse("server: {port: 1}", environment);
    assertThat(values(config)).isEqualTo(other());
  }

  @Test
  void aVariableThatNamesNothingIsSaidToBeIgnoredAndTheLevelOfTheLogIsNone() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger log = (Logger) LoggerFactory.getLogger(ConfigLoader.class);
    log.addAppender(lines);
    try {
      parse("", Map.of("BERTH_LOG_LEVEL", "DEBUG", "BERTH_SERVER_PROT", "1"));
    } finally {
      log.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("BERTH_SERVER_PROT names no key of the configuration and is ignored");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server: {prot: 1} | line 1: unknown key server.prot: .*; did you mean port\\?",
        "sever: {port: 1} | line 1: unknown key sever: .*; did you mean server\\?",
        "server: {port: 70000} | line 1: server.port must be 0..65535, got 70000",
        "server: {port: http} | line 1: server.port: 'http' is not a whole number",
        "server: 8080 | line 1: server: need 'key: value' lines here",
        "server: {max-body: 3} | line 1: server.max-body: '3' is no size: write 512KiB.*",
        "prometheus: {interval: 5} | line 1: prometheus.interval: '5' is no duration: write 20ms.*",
        "prometheus: {interval: 0s} | line 1: prometheus.interval must be longer than 0, got 0ms",
        "prometheus: {url: 'http://me:s3cret@h:9090'} | line 1: prometheus.url must be without user and password: use token-file, got http://...@h:9090",
        "prometheus: {url: 'http://me:s3 cret@h:9090'} | line 1: prometheus.url must be an http:// or https:// address, or empty, got http://...@h:9090",
        "prometheus: {url: localhost} | line 1: prometheus.url must be an http:// or https://.*",
        "prometheus: {nodes: {regex: '('}} | line 1: prometheus.nodes.regex must be a Java.*got"
            + " \\(",
        "prometheus: {pods: never} | line 1: prometheus.pods must be auto or off, got never",
        "scoring: {min-known: 2} | line 1: scoring.min-known must be 0..1, got 2.0",
        "trainer: {rewards: {balance: NaN}} | line 1: trainer.rewards.balance: 'NaN' is not a"
            + " finite number",
        "'server: {port: 1, port: 2}' | line 1: server.port: given twice, first in line 1: keep"
            + " one",
        "server: [ | line 1: not YAML: .*",
      })
  void aMistakeIsAnsweredWithTheKeyTheValueAndTheFix(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("(?s)test:\n  " + message + "(\n.*)?");
  }

  @Test
  void aKeyOfAFormerReleaseIsAnsweredWithItsNewNameInFileAndEnvironment() {
    assertThatThrownBy(() -> parse("store:\n  books: 1m\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "line 2: store.books is called store.owner-checkpoint-interval now: rename it");
    assertThatThrownBy(() -> parse("trainer:\n  least-gain: -1\n"))
        .hasMessageContaining("line 2: trainer.least-gain is gone", "remove it");
    assertThatThrownBy(() -> parse("", Map.of("BERTH_SERVER_READ_PORT", "8766")))
        .hasMessageContaining("BERTH_SERVER_READ_PORT: server.read-port is called server.port,");
  }

  @Test
  void allMistakesAreReportedAtOnceEachWithItsLine() {
    assertThatThrownBy(() -> parse("server:\n  port: x\n  threads: 1\nstore:\n  keep: never"))
        .hasMessageContaining("line 2: server.port")
        .hasMessageContaining("line 3: server.threads")
        .hasMessageContaining("line 5: store.keep");
  }

  @Test
  void aVariableThatKubernetesSetForAServiceIsExplained() {
    assertThatThrownBy(() -> parse("", Map.of("BERTH_SERVER_PORT", "tcp://10.0.0.1:8765")))
        .hasMessageContaining("BERTH_SERVER_PORT")
        .hasMessageContaining("enableServiceLinks: false");
  }

  @Test
  void aMissingFileIsAnsweredWithItsName() {
    assertThatThrownBy(() -> ConfigLoader.load(Path.of("no-such.yaml"), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no-such.yaml");
  }

  @Test
  void theShippedConfigurationIsValid() {
    ServiceConfig config = ConfigLoader.load(ROOT.resolve("manifests/base/berth.yaml"), Map.of());
    assertThat(config.stateFolder()).isEqualTo("/var/lib/berth");
  }

  @Test
  void theDocumentedPageIsTheOneTheRecordsGive() throws Exception {
    Path page = ROOT.resolve("docs/configuration.md");
    if (Boolean.getBoolean("berth.write-docs")) {
      Files.writeString(page, ConfigDocs.markdown());
    }
    assertThat(Files.readString(page))
        .as("run `make docs-config` after a change to the records")
        .isEqualTo(ConfigDocs.markdown());
  }

  @Test
  void everySectionHasOneHeading() {
    assertThat(ConfigDocs.markdown().lines().filter(line -> line.startsWith("## ")))
        .contains("## `server`")
        .doesNotHaveDuplicates();
  }

  @Test
  void everyKeyIsDocumented() {
    Binder.leaves(ServiceConfig.defaults(), "")
        .forEach((key, leaf) -> assertThat(leaf.doc()).as(key).isNotBlank());
  }

  private static ServiceConfig parse(String yaml) {
    return parse(yaml, Map.of());
  }

  private static ServiceConfig parse(String yaml, Map<String, String> environment) {
    return ConfigLoader.parse(yaml.getBytes(StandardCharsets.UTF_8), "test", environment);
  }

  /** A valid value for every key that is not its default. */
  private static Map<String, String> other() {
    Map<String, String> other = new LinkedHashMap<>();
    Binder.leaves(ServiceConfig.defaults(), "")
        .forEach((key, leaf) -> other.put(key, other(key, leaf.value())));
    return other;
  }

  private static String other(String key, Object value) {
    if (value instanceof Integer i) {
      return Integer.toString(i + 1);
    } else if (value instanceof Long l) {
      return Long.toString(l + 1);
    } else if (value instanceof Double d) {
      return Double.toString(d == 0 ? 0.5 : d / 2);
    } else if (value instanceof Boolean b) {
      return Boolean.toString(!b);
    } else if (value instanceof Duration d) {
      return Units.show(d.multipliedBy(2));
    } else if (value instanceof DataSize s) {
      return new DataSize(s.bytes() * 2).toString();
    } else if (value instanceof List<?>) {
      return "x,y";
    }
    return switch (key) {
      case "prometheus.url" -> "http://other:9090";
      case "prometheus.pods" -> "off";
      default -> "other";
    };
  }

  private static Map<String, String> values(ServiceConfig config) {
    Map<String, String> values = new LinkedHashMap<>();
    Binder.leaves(config, "")
        .forEach(
            (key, leaf) ->
                values.put(
                    key,
                    leaf.value() instanceof List<?> list
                        ? String.join(",", list.stream().map(String::valueOf).toList())
                        : leaf.shown()));
    return values;
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> tree, String key, String value) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      tree.put(key, value.contains(",") ? "[" + value + "]" : value);
    } else {
      Object section = tree.computeIfAbsent(key.substring(0, dot), k -> new LinkedHashMap<>());
      put((Map<String, Object>) section, key.substring(dot + 1), value);
    }
  }

  private static void write(Map<?, ?> tree, String indent, StringBuilder yaml) {
    tree.forEach(
        (key, value) -> {
          yaml.append(indent).append(key).append(':');
          if (value instanceof Map<?, ?> section) {
            yaml.append('\n');
            write(section, indent + "  ", yaml);
          } else {
            yaml.append(' ').append(value).append('\n');
          }
        });
  }
}
