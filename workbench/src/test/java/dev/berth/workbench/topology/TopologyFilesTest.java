package dev.berth.workbench.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyFilesTest {
  private static final TopologyLabels FOUR = new TopologyLabels(4, "rack", "server");
  @TempDir Path folder;

  private String labelled(String name, String text) throws IOException {
    Path in = Files.writeString(folder.resolve(name), text);
    Path out = folder.resolve("out-" + name);
    TopologyFiles.label(FOUR, in, out);
    return Files.readString(out);
  }

  @Test
  void csv_rows_get_racks_and_servers_by_position_and_existing_values_stay() throws IOException {
    assertThat(labelled("nodes.csv", "sn,rack\na,\nb,mine\nc\nd,\ne,\n"))
        .isEqualTo(
            "sn,rack,server\na,rack-0,srv-0\nb,mine,srv-1\nc,rack-0,srv-2\nd,rack-0,srv-3\n"
                + "e,rack-1,srv-0\n");
  }

  @Test
  void yaml_documents_get_labels_per_kind_and_the_rest_is_kept() throws IOException {
    String text =
        labelled(
            "nodes.yaml",
            """
            kind: Node
            metadata:
              name: a
              labels: {rack: mine}
            status: {allocatable: {cpu: '2', pods: "1001"}}
            ---
            kind: Pod
            metadata: {name: p}
            ---
            kind: Service
            metadata: {name: s}
            ---
            kind: Node
            metadata: {name: b}
            """);
    assertThat(text).contains("rack: \"mine\"\n    server: \"srv-0\"").contains("cpu: \"2\"");
    assertThat(text.split("---\n")).hasSize(5);
    assertThat(text.split("---\n")[2]).contains("rack-0").contains("srv-0");
    assertThat(text.split("---\n")[3]).doesNotContain("rack");
    assertThat(text.split("---\n")[4]).contains("rack-0").contains("srv-1");
  }

  @Test
  void items_of_a_list_are_labelled_and_the_input_may_be_the_output() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("list.yaml"),
            "kind: NodeList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n");
    assertThat(TopologyFiles.label(FOUR, file, file)).isEqualTo(new TopologyLabels.Summary(2, 4));
    assertThat(TopologyFiles.label(FOUR, file, file)).isEqualTo(new TopologyLabels.Summary(2, 0));
    assertThat(folder.resolve("list.yaml.tmp")).doesNotExist();
  }

  @Test
  void wrong_input_is_named_with_its_fix() throws IOException {
    assertThatThrownBy(() -> new TopologyLabels(0, "rack", "server"))
        .hasMessageContaining("servers per rack is 0, expected at least 1");
    assertThatThrownBy(() -> labelled("bad.yaml", "kind: [Node\n"))
        .hasMessageContaining("bad.yaml:");
    assertThatThrownBy(() -> labelled("none.yaml", "kind: Service\n"))
        .hasMessageContaining("holds no object of kind Node or Pod");
    assertThatThrownBy(() -> labelled("wide.csv", "sn\na,b,c\n"))
        .hasMessageContaining("wide.csv:2: 3 fields, the header names 1");
    assertThatThrownBy(
            () -> TopologyFiles.label(FOUR, folder.resolve("no.csv"), folder.resolve("o.csv")))
        .hasMessageContaining("no such file");
    assertThat(folder.resolve("out-bad.yaml")).doesNotExist();
  }
}
