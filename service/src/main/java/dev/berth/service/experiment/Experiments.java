package dev.berth.service.experiment;

import dev.berth.policy.evidence.Slots.Arm;
import dev.berth.policy.evidence.Switchback;
import dev.berth.service.scoring.Serving;
import dev.berth.service.task.Tasks;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets two arms serve by the timetable of the experiment in the state folder, keeps what was
 * measured, and goes back to A for good when B does harm. Without an experiment what is configured
 * serves, promotions and trials included. Thread-safe.
 */
public final class Experiments {
  private static final Logger log = LoggerFactory.getLogger(Experiments.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ExperimentFiles files;
  private final Arms arms;
  private final Consumer<Serving> sink;
  private final DoubleSupplier clock;
  private Serving configured;
  private @Nullable Serving given;
  private @Nullable Plan plan;
  private @Nullable Running running;
  private volatile @Nullable String healthProblem;
  private volatile @Nullable String unsaved;

  private record Running(Plan plan, Switchback measured, Serving a, Serving b) {
    Serving serving(double now) {
      return measured.serving(now) == Arm.A ? a : b;
    }
  }

  /**
   * @param configured what serves without an experiment
   * @param sink told what serves from now on
   * @param clock seconds since the epoch
   */
  public Experiments(
      ExperimentFiles files,
      Arms arms,
      Serving configured,
      Consumer<Serving> sink,
      DoubleSupplier clock) {
    this.files = files;
    this.arms = arms;
    this.configured = configured;
    this.sink = sink;
    this.clock = clock;
  }

  /** Begins to look at the state folder and the clock, until what it returns is closed. */
  public AutoCloseable follow(Tasks tasks) {
    look();
    return tasks.every("experiment", LOOK, this::look)::shutdownNow;
  }

  /** What serves without an experiment has changed. */
  public synchronized void configured(Serving next) {
    configured = next;
    serve();
  }

  synchronized void look() {
    try {
      Plan wanted = files.plan().orElse(null);
      if (!Objects.equals(wanted, plan)) {
        take(wanted);
      }
      healthProblem = null;
    } catch (RuntimeException e) {
      if (healthProblem == null) {
        log.error("the experiment in the state folder cannot be used", e);
      }
      running = null;
      plan = null;
      healthProblem =
          "no experiment runs, what is configured serves: %s ('berth ab stop' ends it)"
              .formatted(e.getMessage());
    }
    serve();
  }

  private void take(@Nullable Plan wanted) {
    running = null;
    plan = wanted;
    if (wanted == null) {
      return;
    }
    if (wanted.stopped() == null) {
      Serving a = arms.serving(wanted.a()).asArm();
      Serving b = arms.serving(wanted.b()).asArm();
      running = new Running(wanted, files.measured(wanted), a, b);
    }
    log.info(
        "experiment of {} (A) with {} (B): {}",
        wanted.a(),
        wanted.b(),
        wanted.stopped() == null ? "by slots of " + wanted.slotSeconds() + " s" : "stopped");
  }

  private void serve() {
    Serving next = running == null ? configured : running.serving(clock.getAsDouble());
    if (next != given) {
      given = next;
      sink.accept(next);
    }
  }

  /** Whether readings of the measures are wanted. */
  public synchronized boolean running() {
    return running != null;
  }

  /** Takes in a reading of the measures, {@code [measures]}. */
  public synchronized void measured(double[] reading) {
    if (running == null) {
      return;
    }
    Switchback measured = running.measured();
    int before = measured.pairs().size();
    measured.measured(clock.getAsDouble(), reading);
    if (measured.pairs().size() > before) {
      save(running.plan(), measured);
      if (measured.harm()) {
        log.warn(
            "experiment stopped, {} does harm and {} serves from now on",
            running.plan().b(),
            running.plan().a());
      }
    }
  }

  /** Samples come on, whether or not the disk takes what is made of them. */
  private void save(Plan of, Switchback pairs) {
    try {
      files.measured(of, pairs);
      unsaved = null;
    } catch (UncheckedIOException e) {
      log.error("what the experiment has measured cannot be kept", e);
      unsaved = "pairs of the experiment would be lost with a restart: " + e.getMessage();
    }
  }

  /** What is wrong with the experiment that is asked for; empty when all is well. */
  public Optional<String> healthProblem() {
    String problem = healthProblem;
    return Optional.ofNullable(problem == null ? unsaved : problem);
  }
}
