package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.TieRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs every policy on every seed, several at a time; runs share nothing, so order never matters.
 */
public final class FillUpExperiment {

  /** Makes the policy of one run; called once per run, from the run's thread. */
  @FunctionalInterface
  public interface PolicyFactory {
    GpuPolicy make(String policy, GpuTrace trace, long seed);
  }

  private final PolicyFactory factory;
  private final int threads;

  public FillUpExperiment(PolicyFactory factory, int threads) {
    this.factory = factory;
    this.threads = threads;
  }

  /**
   * Results in the order of policies, then seeds.
   *
   * @param onFinished called after each run, from the caller's thread
   */
  public List<FillUpResult> run(
      GpuTrace trace,
      double demand,
      TieRule ties,
      List<String> policies,
      List<Long> seeds,
      Consumer<FillUpResult> onFinished) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      FillUp fillUp = new FillUp(trace, demand, ties);
      List<Future<FillUpResult>> runs = new ArrayList<>();
      for (String policy : policies) {
        for (long seed : seeds) {
          runs.add(pool.submit(() -> fillUp.run(factory.make(policy, trace, seed), seed)));
        }
      }
      List<FillUpResult> results = new ArrayList<>();
      for (Future<FillUpResult> run : runs) {
        results.add(run.get());
        onFinished.accept(results.get(results.size() - 1));
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the last run ended", e);
    } finally {
      pool.shutdownNow();
    }
  }
}
