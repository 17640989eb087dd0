package dev.berth.service.config;

import dev.berth.policy.file.FileTrouble;
import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.TextException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the configuration: defaults, then the file, then {@code BERTH_*} variables. */
public final class ConfigLoader {
  /** The one variable of the service that is no key: the log is there before the configuration. */
  public static final String LOG_LEVEL = "BERTH_LOG_LEVEL";

  private static final Logger log = LoggerFactory.getLogger(ConfigLoader.class);

  private ConfigLoader() {}

  /**
   * @param file the YAML file, or null for defaults and environment alone
   * @throws ConfigException naming every mistake and its fix
   */
  public static ServiceConfig load(@Nullable Path file, Map<String, String> environment) {
    if (file == null) {
      return parse(new byte[0], "environment", environment);
    }
    try {
      return parse(Files.readAllBytes(file), file.toString(), environment);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          file.toString(), List.of("no such file: give --config the path of a YAML file"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + FileTrouble.reason(e), e);
    }
  }

  /**
   * @param source named in errors
   * @throws ConfigException naming every mistake and its fix
   */
  public static ServiceConfig parse(byte[] yaml, String source, Map<String, String> environment) {
    Binder binder = new Binder(environment);
    ServiceConfig config;
    try {
      StrictYaml tree = StrictYaml.parse(yaml, source).orElse(null);
      config = binder.bind(ServiceConfig.defaults(), tree, "");
      binder.refuseFormerVariables();
    } catch (TextException e) {
      String where = e.line() > 0 ? "line " + e.line() + ": " : "";
      String key = e.key().isEmpty() ? "" : e.key() + ": ";
      throw new ConfigException(source, List.of(where + key + e.what()));
    }
    if (!binder.mistakes().isEmpty()) {
      throw new ConfigException(source, hints(binder.mistakes()));
    }
    warnOfUnknownVariables(environment);
    return config;
  }

  /** Kubernetes sets NAME_PORT=tcp://... for every Service: a classic way to a baffling error. */
  private static List<String> hints(List<String> mistakes) {
    List<String> out = new ArrayList<>();
    for (String mistake : mistakes) {
      out.add(
          mistake.contains("tcp://") && mistake.contains("BERTH_")
              ? mistake + " (a Kubernetes Service link: set enableServiceLinks: false on the pod)"
              : mistake);
    }
    return out;
  }

  /** A warning, not an error: Kubernetes puts BERTH_... variables there for a Service "berth". */
  private static void warnOfUnknownVariables(Map<String, String> environment) {
    List<String> known =
        Binder.leaves(ServiceConfig.defaults(), "").keySet().stream()
            .map(Binder::variable)
            .toList();
    environment.keySet().stream()
        .filter(name -> name.startsWith("BERTH_") && !name.equals(LOG_LEVEL))
        .filter(name -> !known.contains(name))
        .sorted()
        .forEach(name -> log.warn("{} names no key of the configuration and is ignored", name));
  }
}
