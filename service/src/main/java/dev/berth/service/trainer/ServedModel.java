package dev.berth.service.trainer;

import dev.berth.policy.Policy;
import dev.berth.service.scoring.Serving;
import dev.berth.service.task.Tasks;
import java.util.Optional;
import java.util.function.Consumer;

/** What scores, and what takes its place while the service runs. Thread-safe. */
public interface ServedModel {

  /** A policy that does not learn: it serves for good. */
  static ServedModel fixed(Policy policy) {
    Serving serving = new Serving(policy, 0);
    return new ServedModel() {
      @Override
      public Serving serving() {
        return serving;
      }

      @Override
      public Serving version(long version) {
        throw new IllegalArgumentException(
            "scoring.policy " + policy.name() + " does not learn: it has no version " + version);
      }

      @Override
      public AutoCloseable follow(Consumer<Serving> sink, Tasks tasks) {
        return () -> {};
      }

      @Override
      public Optional<String> healthProblem() {
        return Optional.empty();
      }
    };
  }

  Serving serving();

  /**
   * A version, whatever serves.
   *
   * @throws IllegalArgumentException when there is none, or it cannot be used
   */
  Serving version(long version);

  /** Begins to hand on what is to serve from now on, until what it returns is closed. */
  AutoCloseable follow(Consumer<Serving> sink, Tasks tasks);

  /** Why the version that should serve does not; empty when it does. */
  Optional<String> healthProblem();
}
