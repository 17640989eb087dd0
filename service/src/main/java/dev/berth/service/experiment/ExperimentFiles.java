package dev.berth.service.experiment;

import dev.berth.policy.evidence.Switchback;
import dev.berth.policy.evidence.SwitchbackMeasure;
import dev.berth.policy.text.StrictJson;
import dev.berth.policy.text.TextException;
import dev.berth.service.registry.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The experiment in a service's state folder: {@code experiment.json} says what is wanted and is
 * written by {@code berth ab} alone; {@code experiment-pairs.json} says what was measured and is
 * written by the service alone. So neither needs a lock, and whoever may not write the state folder
 * changes nothing.
 */
public final class ExperimentFiles {
  private static final int MEASURES = SwitchbackMeasure.values().length;

  private final Path plan;
  private final Path pairs;

  /**
   * @param start of the experiment that they belong to
   */
  private record Measured(double start, List<Switchback.Pair> pairs) {
    Measured {
      for (Switchback.Pair pair : pairs) {
        if (pair.a().length != MEASURES || pair.b().length != MEASURES) {
          throw new IllegalArgumentException(
              "pair %d does not have %d measures".formatted(pair.number(), MEASURES));
        }
      }
    }
  }

  /** A file that cannot be read as what it should be; the message names it. */
  public static final class Damaged extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private Damaged(TextException what) {
      super(what.getMessage(), what);
    }
  }

  public ExperimentFiles(Path stateFolder) {
    plan = stateFolder.resolve("experiment.json");
    pairs = stateFolder.resolve("experiment-pairs.json");
  }

  /**
   * The newest experiment; empty when there never was one.
   *
   * @throws Damaged when it cannot be known
   */
  public Optional<Plan> plan() {
    return read(plan, Plan.class);
  }

  /** Begins an experiment, or ends one. */
  public void plan(Plan wanted) {
    write(plan, wanted);
  }

  /**
   * What an experiment has measured so far.
   *
   * @throws Damaged when it cannot be known
   */
  public Switchback measured(Plan of) {
    Switchback experiment = new Switchback(of.slots(), MEASURES);
    read(pairs, Measured.class)
        .filter(m -> m.start() == of.start())
        .ifPresent(m -> m.pairs().forEach(experiment::add));
    return experiment;
  }

  /**
   * Takes away what cannot be read, such as a file cut short or of another release, so that the
   * next experiment can begin.
   *
   * @return where it lies now
   */
  public List<Path> setDamagedAside() {
    List<Path> aside = new ArrayList<>();
    setAside(plan, Plan.class).ifPresent(aside::add);
    setAside(pairs, Measured.class).ifPresent(aside::add);
    return aside;
  }

  private static Optional<Path> setAside(Path file, Class<?> type) {
    try {
      read(file, type);
      return Optional.empty();
    } catch (Damaged e) {
      Path aside = file.resolveSibling(file.getFileName() + ".damaged");
      try {
        return Optional.of(Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING));
      } catch (IOException stays) {
        throw new UncheckedIOException("cannot move " + file + " to " + aside, stays);
      }
    }
  }

  void measured(Plan of, Switchback experiment) {
    write(pairs, new Measured(of.start(), experiment.pairs()));
  }

  private static <T> Optional<T> read(Path file, Class<T> type) {
    try {
      return Optional.of(StrictJson.read(Files.readAllBytes(file), type, file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (TextException e) {
      throw new Damaged(e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static void write(Path file, Object content) {
    try {
      AtomicFile.write(file, StrictJson.compact(content));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
