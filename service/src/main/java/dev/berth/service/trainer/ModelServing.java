package dev.berth.service.trainer;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.model.LearnedModels;
import dev.berth.service.registry.ModelInfo;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.scoring.Serving;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns versions of the registry into what serves, and follows the registry when somebody rolls
 * back beside us. Thread-safe.
 */
public final class ModelServing implements ServedModel {
  private static final Logger log = LoggerFactory.getLogger(ModelServing.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long MAX_PAUSE_MILLIS = 300_000;

  // What was refused when it is no version.
  private static final long NONE = -1;
  private static final long UNREADABLE = -2;

  private final ModelRegistry registry;
  private final AgentConfig agent;
  private final Clock clock;
  private Consumer<Serving> sink = serving -> {};
  private Serving serving;
  private long refused = NONE;
  private long retryAt;
  private long pause;
  private volatile @Nullable String healthProblem;

  /** Opens the serving version; the shipped one, or the base alone, when none served before. */
  public ModelServing(ModelRegistry registry, AgentConfig agent, Clock clock) {
    this.registry = registry;
    this.agent = agent;
    this.clock = clock;
    long version = registry.serving().version();
    serving = version == 0 ? load(addFirst()) : loadOrFirst(version);
  }

  /** What was kept by another release or under other rewards is no reason not to start. */
  private Serving loadOrFirst(long version) {
    try {
      return load(version);
    } catch (IllegalArgumentException e) {
      long first = addFirst();
      log.warn("model version {} is not used, {} serves: {}", version, first, e.getMessage());
      return load(first);
    }
  }

  private long addFirst() {
    BalanceModel shipped = shipped();
    boolean fits = shipped != null && shipped.weights().spec().equals(AgentNetwork.spec(agent));
    BalanceModel first = fits && shipped != null ? shipped : untrained(agent);
    ModelInfo info =
        add(first, 0, fits ? "shipped with the service" : "no correction yet: the base alone");
    registry.promote(info.version());
    return info.version();
  }

  private @Nullable BalanceModel shipped() {
    String name = LearnedModels.resource(agent.kind());
    try (InputStream in = ModelServing.class.getResourceAsStream(name)) {
      byte[] bytes = in == null ? null : in.readAllBytes();
      if (bytes == null
          || !BalanceModel.decode(bytes)
              .config()
              .task()
              .rewards()
              .seen()
              .equals(agent.task().rewards().seen())) {
        return null; // it sees other columns than these rewards ask for
      }
      return BalanceModel.decode(bytes, agent);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the shipped model " + name, e);
    }
  }

  /** A network whose outputs are all zero, so that it starts as the base and learns from there. */
  static BalanceModel untrained(AgentConfig agent) {
    Weights silent = AgentNetwork.initial(agent, new SplittableRandom(0));
    return BalanceModel.of(
        agent, silent, new Adam(silent.spec(), agent.learning().learningRate()).moments(), 0, 0);
  }

  private ModelInfo add(BalanceModel model, long transitions, String reason) {
    return registry.add(
        model.encode(),
        agent.kind().id(),
        clock.instant().toString(),
        model.moments().step(),
        transitions,
        reason);
  }

  private Serving load(long version) {
    BalanceModel model = BalanceModel.decode(registry.read(version), agent);
    return new Serving(new LearnedPolicy(agent, model.weights()), version);
  }

  @Override
  public AutoCloseable follow(Consumer<Serving> newSink, Tasks tasks) {
    synchronized (this) {
      sink = newSink;
    }
    return tasks.every("model-watch", LOOK, this::look)::shutdownNow;
  }

  /** Whatever is wrong with a version is said once, and tried again with growing pauses. */
  synchronized void look() {
    long wanted = UNREADABLE;
    try {
      wanted = registry.serving().version();
      if (wanted != refused || clock.millis() >= retryAt) {
        serve(wanted);
        refused = NONE;
        healthProblem = null;
      }
    } catch (RuntimeException e) {
      boolean again = wanted == refused;
      pause = again ? Math.min(MAX_PAUSE_MILLIS, 2 * pause) : FIRST_PAUSE_MILLIS;
      retryAt = clock.millis() + pause;
      refused = wanted;
      String what = wanted == UNREADABLE ? "serving.json" : "model version " + wanted;
      healthProblem =
          "%s cannot be used, version %d goes on serving: %s (see 'berth models list' and 'rollback')"
              .formatted(what, serving.modelVersion(), e.getMessage());
      if (!again) {
        log.error("{}", healthProblem, e);
      }
    }
  }

  @Override
  public Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }

  private void serve(long wanted) {
    if (wanted != serving.modelVersion()) {
      serving = load(wanted);
      sink.accept(serving);
      log.info("model version {} serves", wanted);
    }
  }

  @Override
  public synchronized Serving serving() {
    return serving;
  }

  /** What it serves the weights of. */
  public AgentConfig agent() {
    return agent;
  }

  synchronized Weights servingWeights() {
    return ((LearnedPolicy) serving.policy()).weights();
  }

  /** Keeps newer weights that passed the gate, and lets them serve unless a rollback holds. */
  synchronized void promote(BalanceModel model, long transitions, String reason) {
    ModelInfo info = add(model, transitions, reason);
    if (registry.promote(info.version())) {
      serve(info.version());
    } else {
      log.info("model version {} passed but waits: a rollback pins another", info.version());
    }
  }
}
