package dev.berth.workbench.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cluster that {@code berth-cluster} runs on this machine, driven through that program.
 *
 * <p>Thread rule: one command at a time; the program itself refuses a second one.
 */
public final class LocalCluster {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path program;
  private final List<String> flags;

  /**
   * @param flags options for every call, such as {@code --state} and {@code --port-base}
   */
  public LocalCluster(Path program, List<String> flags) {
    this.program = program;
    this.flags = List.copyOf(flags);
  }

  /**
   * A component as {@code berth-cluster status} reports it.
   *
   * @param state healthy, unhealthy, stopped or killed
   */
  public record Component(String name, String state, int pid, String url, Path log) {
    public boolean healthy() {
      return state.equals("healthy");
    }
  }

  /**
   * @param folder where the cluster keeps its data
   * @param scheduler stock or berth
   */
  public record Status(Path folder, Path kubeconfig, String scheduler, List<Component> components) {
    /**
     * @throws IllegalArgumentException when there is no such component
     */
    public Component component(String name) {
      for (Component component : components) {
        if (component.name().equals(name)) {
          return component;
        }
      }
      throw new IllegalArgumentException("the cluster has no component " + name);
    }
  }

  /** Runs a command; its output goes to ours. */
  public void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(line(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("`berth-cluster " + String.join(" ", command) + "` failed, see above");
    }
  }

  /** Runs a command quietly; its output is in the exception when it fails. */
  public String quietly(String... command) throws IOException, InterruptedException {
    return quietly(Map.of(), command);
  }

  /**
   * The same with variables for what the command starts.
   *
   * @param variables by name, such as {@code BERTH_...} settings of the service
   */
  public String quietly(Map<String, String> variables, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(line(command)).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(
          "`berth-cluster " + String.join(" ", command) + "` failed: " + output.strip());
    }
    return output;
  }

  public Status status() throws IOException, InterruptedException {
    JsonNode root = JSON.readTree(quietly("status", "--json"));
    List<Component> components = new ArrayList<>();
    for (JsonNode c : root.path("components")) {
      components.add(
          new Component(
              c.path("name").asText(),
              c.path("state").asText(),
              c.path("pid").asInt(),
              c.path("url").asText(),
              Path.of(c.path("log").asText())));
    }
    return new Status(
        Path.of(root.path("state").asText()),
        Path.of(root.path("kubeconfig").asText()),
        root.path("scheduler").asText(),
        components);
  }

  private List<String> line(String... command) throws IOException {
    if (!Files.isExecutable(program)) {
      throw new IOException(program + " is not built: run `make tools` first");
    }
    List<String> line = new ArrayList<>();
    line.add(program.toString());
    line.addAll(flags);
    line.addAll(List.of(command));
    return line;
  }
}
