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

  /** Begins to hand on what is to serve from now on, until what it returns is closed. */
  AutoCloseable follow(Consumer<Serving> sink, Tasks tasks);

  /** Why the version that should serve does not; empty when it does. */
  Optional<String> healthProblem();
}
