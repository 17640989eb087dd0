package dev.berth.service.doctor;

import static dev.berth.service.doctor.Finding.error;
import static dev.berth.service.doctor.Finding.warning;

import dev.berth.policy.file.FileTrouble;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.config.TokenFile;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.prometheus.PrometheusPuller;
import dev.berth.service.prometheus.RunningPods;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.MDC;

/** Files, and a service that can be reached from here, without any cluster. */
public final class FileCheck {
  /** In the MDC of a thread whose log lines would only repeat what the caller tells. */
  public static final String TOLD = "told";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Statuses with which a service says how it is. */
  private static final Set<Integer> SAID = Set.of(200, 503);

  private static final long LITTLE_ROOM = 64L << 20;

  private FileCheck() {}

  /** What a service would meet that starts with this configuration. */
  public static List<Finding> serviceConfig(Path file, Map<String, String> environment)
      throws InterruptedException {
    ServiceConfig config;
    try {
      config = ConfigLoader.load(file, environment);
    } catch (ConfigException e) {
      return List.of(
          error(
              "service configuration",
              String.valueOf(e.getMessage()),
              "mend " + file + "; docs/configuration.md lists every key"));
    }
    List<Finding> findings = new ArrayList<>();
    token(config, findings);
    folder(Path.of(config.stateFolder()), findings);
    prometheus(config, findings);
    return findings;
  }

  private static void token(ServiceConfig config, List<Finding> findings) {
    String named = config.server().tokenFile();
    if (named.isEmpty()) {
      return; // the service makes one
    }
    Path file = Path.of(named);
    try {
      TokenFile.read(file);
    } catch (FileSystemException e) {
      findings.add(
          error(
              "token",
              "server.token-file " + file + " cannot be read: " + FileTrouble.reason(e),
              "openssl rand -hex 32 > " + file));
    } catch (IOException e) {
      findings.add(
          error("token", String.valueOf(e.getMessage()), "openssl rand -hex 32 > " + file));
    }
  }

  private static void folder(Path folder, List<Finding> findings) {
    Path there = folder.toAbsolutePath();
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      findings.add(
          error(
              "volume",
              "state-folder " + folder + " cannot be written",
              "chown it to the service's user: chown -R $(id -u) " + folder));
      return;
    }
    try {
      long free = Files.getFileStore(there).getUsableSpace();
      if (free < LITTLE_ROOM) {
        findings.add(
            error(
                "volume",
                "%d MiB are free in state-folder %s".formatted(free >> 20, folder),
                "free some, or name another state-folder"));
      }
    } catch (IOException e) {
      findings.add(
          warning(
              "volume",
              "state-folder " + folder + " cannot be looked at: " + FileTrouble.reason(e),
              "name another state-folder"));
    }
  }

  /** Asks every query once, as the service would. */
  private static void prometheus(ServiceConfig config, List<Finding> findings)
      throws InterruptedException {
    if (config.prometheus().url().isEmpty()) {
      findings.add(
          warning(
              "prometheus",
              "prometheus.url is empty: scores rest on requests and bookkeeping",
              "set prometheus.url"));
      return;
    }
    ServiceMetrics metrics = new ServiceMetrics();
    try (MDC.MDCCloseable told = MDC.putCloseable(TOLD, "as a finding");
        PrometheusPuller puller =
            new PrometheusPuller(
                withoutPods(config.prometheus()),
                metrics,
                Clock.systemUTC(),
                RunningPods.NONE,
                s -> {},
                new Tasks(task -> () -> {}))) {
      puller.pull();
      puller
          .healthProblem()
          .ifPresent(
              said ->
                  findings.add(
                      error(
                          "prometheus",
                          said,
                          "check that "
                              + config.prometheus().url()
                              + " is Prometheus and that it has these series; prometheus.queries"
                              + " and prometheus.nodes are yours to change")));
      puller
          .clockProblem()
          .ifPresent(
              said ->
                  findings.add(
                      warning(
                          "clock",
                          said,
                          "let both machines follow the same time servers: chronyc tracking")));
    }
  }

  /** Whether Prometheus has the usage of pods is no fault, and asked on other threads. */
  private static PrometheusConfig withoutPods(PrometheusConfig c) {
    return new PrometheusConfig(
        c.url(),
        c.interval(),
        c.timeout(),
        c.window(),
        c.tokenFile(),
        "off",
        c.nodes(),
        c.queries());
  }

  /** A KubeSchedulerConfiguration. */
  public static List<Finding> schedulerConfig(Path file) {
    try {
      return SchedulerCheck.of(Files.readString(file), file.toString());
    } catch (CharacterCodingException e) {
      return List.of(error("scheduler profile", file + " is no text", "name another file"));
    } catch (IOException e) {
      return List.of(
          error(
              "scheduler profile",
              "cannot read " + file + ": " + FileTrouble.reason(e),
              "check the path"));
    }
  }

  /** A running service, by what it says of itself. */
  public static List<Finding> service(String url) throws InterruptedException {
    if (!url.matches("https?://[^/].*")) {
      return List.of(error("service", url + " is no URL", "--service http://127.0.0.1:8765"));
    }
    try {
      URI readyz = URI.create(url.replaceAll("/+$", "") + "/readyz");
      HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
      HttpRequest ask = HttpRequest.newBuilder(readyz).timeout(PATIENCE).build();
      HttpResponse<String> answer = client.send(ask, BodyHandlers.ofString(StandardCharsets.UTF_8));
      return SAID.contains(answer.statusCode())
          ? ServiceCheck.of(answer.body())
          : List.of(
              error(
                  "service",
                  "%s is no Berth service: /readyz answers %d".formatted(url, answer.statusCode()),
                  "name its server.port, such as --service http://127.0.0.1:8765"));
    } catch (IOException | IllegalArgumentException e) {
      return List.of(
          error(
              "service",
              url + " does not answer" + (e.getMessage() == null ? "" : ": " + e.getMessage()),
              "is 'berth serve' running, and is this its server.port?"));
    }
  }
}
