package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.value.LeastCardWaste;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.ValueSamples;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Trains the value of a node's leftovers, then chooses.
 *
 * <ol>
 *   <li>Placement that is random about nodes and sensible about cards ({@link LeastCardWaste})
 *       fills every training trace a few times; each after-state is labelled with what stayed idle
 *       on its node. Random about nodes, because labels of a policy that fills them in an order of
 *       its own mix that order into the value: trained on FGD's runs the same network failed 35
 *       points more 8-GPU pods. Sensible about cards, because labels say what remainders are worth
 *       to the policy that made them.
 *   <li>Several networks are fitted to the same samples. They differ little in error and up to a
 *       tenth of a point in allocation, so they are candidates, not results. The best is tried with
 *       other prices. All choices are made on validation seeds, of the given traces and of
 *       workloads drawn around them: the best worst case wins, guardrails included.
 * </ol>
 */
public final class GpuTrainer {

  /**
   * Hyper-parameters.
   *
   * @param demand GPU demand of an episode, times capacity
   * @param episodes episodes per given trace
   * @param hidden units of each hidden layer: more fits better and scores slower
   * @param updates Adam steps per candidate
   * @param batch samples per step
   * @param rate first learning rate, falls to a fiftieth linearly
   * @param candidates networks fitted
   * @param variants workloads drawn around the given traces, one episode each
   * @param validationSeeds seeds of the comparison with FGD
   * @param validationVariants other such workloads, on which candidates are judged too
   * @param seed of everything random in training
   */
  public record Config(
      double demand,
      int episodes,
      int hidden,
      int updates,
      int batch,
      double rate,
      int candidates,
      int variants,
      List<Long> validationSeeds,
      int validationVariants,
      long seed) {}

  /** Prices of the first comparison; the finalists are then tried around them. */
  private static final Prices FIRST = new Prices(0.2, 2);

  private static final double VARIANT_GOAL = 0.2;

  private static final double[] FACTORS = {0.5, 2};

  private final Config config;
  private final Map<String, Double> goals;
  private final Consumer<String> log;

  /** A candidate with what it reached. */
  public record Trial(long seed, ValueModel model, String description, double objective) {}

  /**
   * Sets up a training.
   *
   * @param goals wanted gain over FGD in points by trace name; {@value Validation#DEFAULT_GOAL} for
   *     a trace not named
   * @param log one line per step
   */
  public GpuTrainer(Config config, Map<String, Double> goals, Consumer<String> log) {
    this.config = config;
    this.goals = Map.copyOf(goals);
    this.log = log;
  }

  public Trial train(List<GpuTrace> traces, int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      ValueSamples samples = sample(traces);
      List<Validation> validations = validations(traces);
      List<Future<Trial>> firsts = new ArrayList<>();
      for (int i = 0; i < config.candidates; i++) {
        long seed = config.seed + i;
        firsts.add(pool.submit(() -> judged(fit(samples, seed), FIRST, seed, validations)));
      }
      Trial tuned = best(collected(firsts));
      List<Future<Trial>> grid = new ArrayList<>();
      for (Prices prices : around(tuned.model().prices())) {
        grid.add(
            pool.submit(() -> judged(tuned.model().weights(), prices, tuned.seed(), validations)));
      }
      List<Trial> all = collected(grid);
      all.add(tuned);
      return best(all);
    } finally {
      pool.shutdownNow();
    }
  }

  private ValueSamples sample(List<GpuTrace> traces) {
    List<GpuTrace> workloads = new ArrayList<>();
    for (int i = 0; i < config.episodes; i++) {
      workloads.addAll(traces);
    }
    for (int i = 0; i < config.variants; i++) {
      workloads.add(TraceVariants.random(traces, config.seed * 1_000 + i));
    }
    ValueSamples samples = new ValueSamples();
    for (int i = 0; i < workloads.size(); i++) {
      GpuTrace trace = workloads.get(i);
      long seed = config.seed * 1_000 + i;
      WorkloadProfile workload = GpuPolicies.profile(trace);
      ValueEpisode.run(trace, workload, new LeastCardWaste(workload), config.demand, seed, samples);
    }
    log.accept("%d fill-ups, %,d after-states".formatted(workloads.size(), samples.size()));
    return samples;
  }

  private List<Validation> validations(List<GpuTrace> traces) {
    List<Validation> validations =
        Validation.of(traces, config.demand, goals, config.validationSeeds);
    // Not below the variants that were trained on: a seed further on.
    for (int i = 0; i < config.validationVariants; i++) {
      GpuTrace variant = TraceVariants.random(traces, -config.seed * 1_000 - 1 - i);
      validations.add(
          new Validation(
              variant,
              config.demand,
              VARIANT_GOAL,
              config.validationSeeds.subList(0, Math.min(2, config.validationSeeds.size()))));
    }
    return validations;
  }

  private Weights fit(ValueSamples samples, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of(FillUp.GENERATOR).create(seed);
    Weights initial = Weights.random(ValueModel.spec(config.hidden), random).withZeroOutputs();
    Learner learner =
        new Learner(initial, new Adam(initial.spec(), config.rate), Double.POSITIVE_INFINITY);
    for (int update = 0; update < config.updates; update++) {
      double rate = config.rate * (1 - 0.98 * update / config.updates);
      learner.step(samples.batch(config.batch, random), rate);
    }
    return learner.weights();
  }

  private Trial judged(Weights weights, Prices prices, long seed, List<Validation> validations) {
    ValueModel model = new ValueModel(weights, prices);
    Validation.Judgement judgement = Validation.judge(model, validations);
    String description =
        "candidate %d, prices %.2f %.2f: objective %+.2f;%s"
            .formatted(seed, prices.typed(), prices.bigPods(), judgement.worst(), judgement.text());
    log.accept(description);
    return new Trial(seed, model, description, judgement.worst());
  }

  /** Half and twice each price, the other as it is. */
  private static List<Prices> around(Prices prices) {
    List<Prices> grid = new ArrayList<>();
    for (double factor : FACTORS) {
      grid.add(new Prices(prices.typed() * factor, prices.bigPods()));
      grid.add(new Prices(prices.typed(), prices.bigPods() * factor));
    }
    return grid;
  }

  private static Trial best(List<Trial> trials) {
    return Collections.max(trials, Comparator.comparingDouble(Trial::objective));
  }

  private static List<Trial> collected(List<Future<Trial>> futures) {
    List<Trial> trials = new ArrayList<>();
    for (Future<Trial> future : futures) {
      try {
        trials.add(future.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException failure
            ? failure
            : new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("training was interrupted", e);
      }
    }
    return trials;
  }
}
