package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.policy.predict.BaseTerms;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.effect.Effect;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.regret.Advice;
import dev.berth.service.regret.Figures;
import dev.berth.service.regret.Mean;
import dev.berth.service.regret.Report;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.store.StoredDecision;
import dev.berth.service.store.StoredMeasurement;
import dev.berth.service.store.StoredMoved;
import dev.berth.service.store.StoredTerms;
import dev.berth.service.trainer.PromotionStatus;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** api/openapi.yaml says what the code does. */
class OpenApiTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root"));

  @Test
  void everyRouteIsInTheContractAndTheOtherWayRound() throws Exception {
    TreeSet<String> documented = new TreeSet<>();
    JsonNode api = api();
    api.get("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    HttpServer server =
        new HttpServer(
            ConfigLoader.load(null, Map.of()).server(),
            Secrets.of("test"),
            null,
            null,
            null,
            null,
            null,
            new Readiness(),
            null,
            null,
            new ServiceMetrics());
    assertThat(server.routes()).isEqualTo(documented);
  }

  @Test
  void everythingButProbesMetricsAndTheFilesOfThePageNeedsTheToken() throws Exception {
    TreeSet<String> open = new TreeSet<>();
    api()
        .get("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .forEach(
                        operation -> {
                          if (!operation.path("security").toString().contains("oken")) {
                            open.add(path.getKey());
                          }
                        }));
    assertThat(open).containsExactly("/", "/healthz", "/metrics", "/page/{file}", "/readyz");
  }

  @Test
  void theRepliesHaveTheFieldsOfTheContract() throws Exception {
    assertThat(properties("ScoreReply")).isEqualTo(components(ScoreReply.class));
    assertThat(properties("StoredDecision")).isEqualTo(components(StoredDecision.class));
    assertThat(properties("Basis")).isEqualTo(components(BaseTerms.Basis.class));
    assertThat(properties("Terms")).isEqualTo(components(StoredTerms.class));
    assertThat(properties("Moved")).isEqualTo(components(StoredMoved.class));
    assertThat(properties("Measured")).isEqualTo(components(StoredMeasurement.class));
    assertThat(properties("Status")).isEqualTo(components(Status.class));
    assertThat(properties("PromotionStatus")).isEqualTo(components(PromotionStatus.class));
    assertThat(properties("Report")).isEqualTo(components(Report.class));
    assertThat(properties("Report/properties/advice")).isEqualTo(components(Advice.class));
    assertThat(properties("Figures")).isEqualTo(components(Figures.class));
    assertThat(properties("Mean")).isEqualTo(components(Mean.class));
    assertThat(properties("Status/properties/effect")).isEqualTo(components(Effect.Report.class));
  }

  @Test
  void theWordsOfTheContractAreTheOnesTheCodeTakes() throws Exception {
    JsonNode schemas = api().get("components").get("schemas");
    for (JsonNode mode : schemas.at("/ScoreRequest/properties/mode/enum")) {
      Mode.of(mode.asText());
    }
    assertThat(schemas.at("/PromotionStatus/properties/state/enum"))
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(
            Arrays.stream(PromotionStatus.State.values())
                .map(PromotionStatus.State::wireName)
                .toList());
    JsonNode types = schemas.at("/OutcomeEvent/properties/type/enum");
    assertThat(types).hasSize(OutcomeEvent.Type.values().length);
    for (JsonNode type : types) {
      OutcomeEvent.Type.of(type.asText());
    }
  }

  private static TreeSet<String> properties(String schema) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    api()
        .at("/components/schemas/" + schema + "/properties")
        .fieldNames()
        .forEachRemaining(names::add);
    return names;
  }

  private static TreeSet<String> components(Class<?> record) {
    return new TreeSet<>(
        Arrays.stream(record.getRecordComponents()).map(RecordComponent::getName).toList());
  }

  private static JsonNode api() throws Exception {
    // SnakeYAML resolves the anchors; Jackson alone would keep them as references.
    Object tree =
        new org.yaml.snakeyaml.Yaml()
            .load(java.nio.file.Files.readString(ROOT.resolve("api/openapi.yaml")));
    return new YAMLMapper().valueToTree(tree);
  }
}
