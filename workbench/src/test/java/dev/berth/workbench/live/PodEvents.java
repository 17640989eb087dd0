package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What {@code kubectl describe pod} says of Berth, with {@code podEventsPerSecond} in use. */
interface PodEvents extends Operator {

  @Test
  @Order(4)
  default void anEventOnAPodSaysWhatItsDecisionSays() throws Exception {
    Map<String, String> nodeOf = nodeOfPods();
    List<Event> events =
        plane()
            .client()
            .v1()
            .events()
            .inNamespace(Options.NAMESPACE)
            .withField("reason", "BerthScored")
            .list()
            .getItems();
    assertThat(events).hasSizeBetween(5, nodeOf.size());
    Pattern text =
        Pattern.compile("Berth scored (\\S+) (\\d+) of 100, .* of 4 nodes.*; decision (\\S+)");
    for (Event event : events) {
      Matcher said = text.matcher(event.getMessage());
      assertThat(said.matches()).as(event.getMessage()).isTrue();
      assertThat(event.getInvolvedObject().getKind()).isEqualTo("Pod");
      String pod = Options.NAMESPACE + "/" + event.getInvolvedObject().getName();
      assertThat(said.group(1)).isEqualTo(nodeOf.get(pod));
      JsonNode decision = told("/v1/decisions/" + said.group(3));
      assertThat(decision.path("pod").asText()).isEqualTo(pod);
      assertThat(scores(decision)).containsEntry(said.group(1), Integer.parseInt(said.group(2)));
    }
  }

  private static Map<String, Integer> scores(JsonNode decision) {
    Map<String, Integer> scores = new TreeMap<>();
    JsonNode nodes = decision.at("/nodes/node");
    for (int i = 0; i < nodes.size(); i++) {
      scores.put(nodes.path(i).asText(), decision.at("/nodes/score").path(i).asInt());
    }
    return scores;
  }
}
