package dev.berth.workbench.bench;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.NetworkSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code workbench/rivals/flask_service.py} in a process of its own, with a network of the size of
 * our dqn's, from when it listens until it is closed.
 */
final class FlaskService implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");

  private final Process process;
  private final int port;
  private final boolean keepsConnections;

  /**
   * @param python with the packages of {@code workbench/rivals/requirements.txt}
   * @param server {@code flask} or {@code waitress}
   * @param log takes what the process writes on standard error
   * @throws IOException when it does not come to listen; the message has its log
   */
  FlaskService(Path python, String server, Path log) throws IOException {
    NetworkSpec network = AgentNetwork.spec(AgentConfig.defaults(AgentKind.DQN));
    Path script =
        Path.of(System.getProperty("berth.root", "."), "workbench/rivals/flask_service.py");
    process =
        new ProcessBuilder(
                List.of(
                    python.toString(),
                    script.toString(),
                    "--server=" + server,
                    "--inputs=" + network.inputs(),
                    "--hidden="
                        + network.hidden().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(","))))
            .redirectError(log.toFile())
            .start();
    BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String line = out.readLine();
    Matcher listening = LISTENING.matcher(line == null ? "" : line);
    if (!listening.matches()) {
      process.destroy();
      throw new IOException(
          script + " did not come to listen by " + python + ":\n" + Files.readString(log));
    }
    port = Integer.parseInt(listening.group(1));
    keepsConnections = !server.equals("flask");
  }

  int port() {
    return port;
  }

  /** Whether a connection carries more than one question; Flask's own server closes each. */
  boolean keepsConnections() {
    return keepsConnections;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
