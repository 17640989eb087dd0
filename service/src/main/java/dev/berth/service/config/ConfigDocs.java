package dev.berth.service.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** docs/configuration.md, made of the records so that it cannot differ from them. */
public final class ConfigDocs {
  private static final String HEAD =
      """
      # Configuration of the service

      `berth serve --config FILE` reads one YAML file. Every key has a default, so the file may be empty, or not be named at all; one that is named must be there. The
      environment wins over the file: `server.port` is `BERTH_SERVER_PORT`, a list is written with commas. A key that does
      not exist, a value that does not fit and a key that is there twice in the file stop the start with line, key and
      fix, as many as can be told at once; of a variable `BERTH_...` that names no key the log warns. Durations are `20ms`, `5s`, `2m`, `1h`, `7d`; sizes are `512KiB`, `16MiB`, `1GiB`. `BERTH_LOG_LEVEL`
      (`DEBUG`, `INFO`, `WARN`, `ERROR`) is the level of the service's log, `INFO` unless set.

      To try it alone, with nothing but a build (`make build`), on ports of your choice:

      ```sh
      BERTH_SERVER_PORT=9321 BERTH_SERVER_SCHEDULER_PORT=9322 BERTH_STATE_FOLDER=out/try bin/berth serve
      ```

      and, in another terminal, what a scheduler would ask, then what anybody may (`api/openapi.yaml` lists all of it):

      ```sh
      curl -s -H "Authorization: Bearer $(cat out/try/token)" -H "Content-Type: application/json" \\
        -d @api/examples/score-request.json localhost:9322/v1/score
      curl -s "localhost:9321/score?cpu=500m&memory=128Mi"
      ```

      This page is made from the code (`make docs-config`), and a test compares the two.
      """;

  private ConfigDocs() {}

  public static String markdown() {
    Map<String, StringBuilder> sections = new LinkedHashMap<>(); // a record may go on after another
    Binder.leaves(ServiceConfig.defaults(), "")
        .forEach(
            (key, leaf) ->
                sections
                    .computeIfAbsent(
                        key.contains(".") ? key.substring(0, key.lastIndexOf('.')) : "",
                        ConfigDocs::head)
                    .append("| `%s` | %s | %s |\n".formatted(key, shown(leaf), leaf.doc())));
    return HEAD + String.join("", sections.values());
  }

  private static StringBuilder head(String section) {
    return new StringBuilder(
        "\n## %s\n\n| key | default | what it does |\n|---|---|---|\n"
            .formatted(section.isEmpty() ? "Top level" : "`" + section + "`"));
  }

  private static String shown(Binder.Leaf leaf) {
    String value = leaf.shown();
    return value.isEmpty() ? "empty" : "`" + value.replace("|", "\\|") + "`";
  }
}
