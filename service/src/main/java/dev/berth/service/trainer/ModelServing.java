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
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns versions of the registry into what serves, and follows the registry when somebody rolls
 * back beside us. Thread-safe.
 */
public final class ModelServing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ModelServing.class);

  private final ModelRegistry registry;
  private final AgentConfig agent;
  private final Clock clock;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          runnable -> {
            Thread thread = new Thread(runnable, "model-watch");
            thread.setDaemon(true);
            return thread;
          });
  private Consumer<Serving> sink = serving -> {};
  private Serving serving;

  /** Opens the serving version; the shipped one, or the base alone, when none served before. */
  public ModelServing(ModelRegistry registry, AgentConfig agent, Clock clock) {
    this.registry = registry;
    this.agent = agent;
    this.clock = clock;
    if (registry.serving().version() == 0) {
      addFirst();
    }
    serving = load(registry.serving().version());
  }

  private void addFirst() {
    BalanceModel shipped = shipped();
    boolean fits = shipped != null && shipped.weights().spec().equals(AgentNetwork.spec(agent));
    BalanceModel first = fits && shipped != null ? shipped : untrained(agent);
    ModelInfo info =
        add(first, 0, fits ? "shipped with the service" : "no correction yet: the base alone");
    registry.promote(info.version());
  }

  private @org.jspecify.annotations.Nullable BalanceModel shipped() {
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

  /** Begins to follow the registry. */
  public void follow(Consumer<Serving> newSink) {
    synchronized (this) {
      sink = newSink;
    }
    watch.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      refresh();
    } catch (RuntimeException e) {
      log.error(
          "the registry cannot be followed; version {} goes on serving",
          serving().modelVersion(),
          e);
    }
  }

  synchronized void refresh() {
    long wanted = registry.serving().version();
    if (wanted != serving.modelVersion()) {
      serving = load(wanted);
      sink.accept(serving);
      log.info("model version {} serves", wanted);
    }
  }

  public synchronized Serving serving() {
    return serving;
  }

  synchronized Weights servingWeights() {
    return ((LearnedPolicy) serving.policy()).weights();
  }

  /** Keeps newer weights that passed the gate, and lets them serve unless a rollback holds. */
  synchronized void promote(BalanceModel model, long transitions, String reason) {
    ModelInfo info = add(model, transitions, reason);
    if (registry.promote(info.version())) {
      refresh();
    } else {
      log.info("model version {} passed but waits: a rollback pins another", info.version());
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
