package dev.berth.service.trainer;

import dev.berth.policy.Policy;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.model.LearnedModels;
import dev.berth.service.registry.ModelInfo;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.registry.ServingState;
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

  private final ModelRegistry registry;
  private final AgentConfig agent;
  private final Clock clock;
  private Consumer<Serving> sink = serving -> {};
  private Serving serving;
  private ServingState state;
  private @Nullable String refused;
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
    state = registry.serving();
    look(); // a trial goes on
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

  @Override
  public Serving version(long version) {
    return load(version);
  }

  private Serving load(long version) {
    BalanceModel model = BalanceModel.decode(registry.read(version), agent);
    return new Serving(new LearnedPolicy(agent, model.weights()), version);
  }

  @Override
  public AutoCloseable follow(Consumer<Serving> newSink, Tasks tasks) {
    synchronized (this) {
      sink = newSink;
      sink.accept(serving); // the trainer may have begun a trial or ended one meanwhile
    }
    return tasks.every("model-watch", LOOK, this::look)::shutdownNow;
  }

  /** Whatever is wrong with a version is said once, and tried again with growing pauses. */
  synchronized void look() {
    String what = "serving.json";
    try {
      ServingState wanted = registry.serving();
      what =
          "model version "
              + wanted.version()
              + (wanted.trial() == null ? "" : " or " + wanted.trial() + " on trial");
      if (!what.equals(refused) || clock.millis() >= retryAt) {
        serve(wanted);
        refused = null;
        healthProblem = null;
      }
    } catch (RuntimeException e) {
      boolean again = what.equals(refused);
      pause = again ? Math.min(MAX_PAUSE_MILLIS, 2 * pause) : FIRST_PAUSE_MILLIS;
      retryAt = clock.millis() + pause;
      refused = what;
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

  private void serve(ServingState wanted) {
    Serving now = serving;
    Serving tried = now.trial();
    long version = wanted.version();
    Long trial = wanted.trial();
    boolean sameTrial =
        trial == null ? tried == null : tried != null && tried.modelVersion() == trial;
    if (version != now.modelVersion() || !sameTrial) {
      Policy policy =
          version == now.modelVersion()
              ? now.policy()
              : tried != null && version == tried.modelVersion()
                  ? tried.policy()
                  : load(version).policy();
      serving = new Serving(policy, version, trial == null ? null : load(trial));
      sink.accept(serving);
      if (version != now.modelVersion()) {
        log.info("model version {} serves", version);
      }
    }
    state = wanted;
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

  /** Whether a rollback holds what serves. */
  synchronized boolean pinned() {
    return state.pinned();
  }

  /**
   * Keeps newer weights that passed the gate and lets them serve for half of the owners.
   *
   * @return their version; 0 when a rollback holds what serves, and then they are not kept
   */
  synchronized long tryOut(BalanceModel model, String reason) {
    if (registry.serving().pinned()) {
      return 0;
    }
    long version = add(model, model.transitions(), reason).version();
    boolean tried = registry.tryOut(version);
    serve(registry.serving());
    return tried ? version : 0;
  }

  /** Lets the version on trial serve alone. */
  synchronized void promote(long version, ModelInfo.Verdict verdict) {
    registry.note(version, verdict);
    registry.promote(version);
    serve(registry.serving());
  }

  /** Ends the trial of a version. */
  synchronized void endTrial(long version, ModelInfo.Verdict verdict) {
    registry.note(version, verdict);
    registry.endTrial();
    serve(registry.serving());
  }

  /** Ends a trial that nobody watches. */
  public synchronized void endTrial() {
    Long trial = state.trial();
    if (trial != null) {
      endTrial(trial, new ModelInfo.Verdict(true, "kept back: the trainer is off"));
    }
  }

  /** Goes back from a version to an earlier one or, if there is none, to the base alone. */
  synchronized void stepBack(long from, ModelInfo.Verdict verdict) {
    registry.note(from, verdict);
    if (!registry.stepBack(from) && !registry.serving().pinned()) {
      registry.promote(add(untrained(agent), 0, "the base alone, after a step back").version());
    }
    serve(registry.serving());
  }
}
