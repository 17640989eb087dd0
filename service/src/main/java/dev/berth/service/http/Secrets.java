package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens and certificate, looked at once a second, and who may enter with them.
 *
 * <p>Whoever asks for a score or reports an outcome needs the token. Reads need it too, or a read
 * token if there is one, for they tell pods' names and owners; probes, metrics, the page's files
 * and, unless {@code server.open-what-if} is off, what-ifs tell neither and are open to whoever can
 * connect. A new file that cannot be used changes nothing and is a warning in {@code /readyz}.
 */
public final class Secrets {
  private static final Logger log = LoggerFactory.getLogger(Secrets.class);
  private static final Set<String> PROBES = Set.of("/healthz", "/readyz", "/metrics");
  private static final Set<String> WHAT_IF = Set.of("/score", "/v1/score");
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SAID_EVERY = Duration.ofMinutes(1);

  /** A file, or several that belong together, that may change while the service runs. */
  interface Watched {
    /**
     * Takes over what has changed.
     *
     * @return whether anything has
     * @throws IOException when what is there cannot be used
     */
    boolean look() throws IOException;
  }

  private final BearerToken token;
  private final @Nullable BearerToken readToken;
  private final boolean openWhatIf;
  private final boolean openReads;
  private final @Nullable Tls tls;
  private final Map<String, Watched> watched = new LinkedHashMap<>();
  private final Map<String, String> problems = new ConcurrentHashMap<>();
  private final AtomicLong refusalDue = new AtomicLong(System.nanoTime());

  private Secrets(
      BearerToken token,
      @Nullable BearerToken readToken,
      boolean openWhatIf,
      boolean openReads,
      @Nullable Tls tls) {
    this.token = token;
    this.readToken = readToken;
    this.openWhatIf = openWhatIf;
    this.openReads = openReads;
    this.tls = tls;
    watched.put("server.token-file", token);
    if (readToken != null) {
      watched.put("server.read-token-file", readToken);
    }
    if (tls != null) {
      watched.put("server.tls", tls);
    }
  }

  /**
   * Reads what the configuration names, and makes a token where there is none.
   *
   * @param tokenFile the scheduler's token
   * @throws IllegalArgumentException naming the file that cannot be used and the fix
   */
  public static Secrets load(ServerConfig config, Path tokenFile) {
    BearerToken token = BearerToken.loadOrCreate(tokenFile, config.tokenOverlap());
    BearerToken readToken =
        config.readTokenFile().isEmpty()
            ? null
            : BearerToken.loadOrCreate(Path.of(config.readTokenFile()), config.tokenOverlap());
    Tls tls =
        config.tls().cert().isEmpty()
            ? null
            : Tls.load(Path.of(config.tls().cert()), Path.of(config.tls().key()));
    return new Secrets(token, readToken, config.openWhatIf(), config.openReads(), tls);
  }

  /** Begins to look for changes, until what it returns is closed. */
  public AutoCloseable watch(Tasks tasks) {
    return tasks.every("secrets", LOOK, this::look)::shutdownNow;
  }

  /** One fixed token, nothing to watch. */
  static Secrets of(String token) {
    return new Secrets(new BearerToken(token), null, false, false, null);
  }

  private void look() {
    watched.forEach(
        (key, file) -> {
          try {
            if (file.look()) {
              log.info("{} has changed: the new one is in use", key);
            }
            problems.remove(key);
          } catch (IOException | RuntimeException e) {
            String why = why(e);
            if (!why.equals(problems.put(key, why))) {
              log.warn("{} has changed and cannot be used, the one before stays: {}", key, why);
            }
          }
        });
  }

  /** What cannot be used at present, for {@code /readyz}. */
  public Optional<String> healthProblem() {
    return new TreeMap<>(problems)
        .entrySet().stream()
            .map(e -> e.getKey() + ": " + e.getValue())
            .reduce((one, other) -> one + "; " + other);
  }

  private static String why(Exception e) {
    if (e instanceof NoSuchFileException) { // whose whole message is the path
      return e.getMessage() + " is gone";
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  @Nullable Tls tls() {
    return tls;
  }

  /** The scheduler's entrance. */
  boolean scheduler(String path, @Nullable String authorization) {
    if (!token.matches(authorization)) {
      refused(authorization == null ? "no" : "a wrong");
      throw unauthorized("with the content of the service's token file");
    }
    return false;
  }

  /** A scheduler that comes with the token of before looks to its users as if nobody answered. */
  private void refused(String which) {
    long now = System.nanoTime();
    long due = refusalDue.get();
    if (now - due >= 0 && refusalDue.compareAndSet(due, now + SAID_EVERY.toNanos())) {
      log.warn(
          "a request to server.scheduler-port with {} token was refused: is it a scheduler whose"
              + " tokenFile is not ours? (said once a minute)",
          which);
    }
  }

  /** Everybody else's. */
  boolean reader(String path, @Nullable String authorization) {
    boolean open =
        PROBES.contains(path)
            || PageRoutes.isFile(path)
            || (WHAT_IF.contains(path) ? openWhatIf : openReads);
    if (!open
        && !token.matches(authorization)
        && (readToken == null || !readToken.matches(authorization))) {
      throw unauthorized(
          "with the content of the service's token file or of server.read-token-file");
    }
    return open;
  }

  private static Problem unauthorized(String how) {
    return new Problem(
        401,
        "Unauthorized",
        "send 'Authorization: Bearer <token>' " + how,
        Map.of("WWW-Authenticate", "Bearer"));
  }
}
