package dev.berth.service.registry;

import dev.berth.policy.file.FileTrouble;
import dev.berth.policy.text.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Model files of one kind of agent in one folder: {@code v000012.model} with {@code v000012.json}
 * beside it, and {@code serving.json}, which says which one serves.
 *
 * <p>A running service and the {@code berth models} command share the folder: both write whole
 * files only and hold the folder's lock from reading a state to replacing it, and the service looks
 * at {@code serving.json} every second.
 *
 * <p>The last {@value #HISTORY} versions that served are kept, and of those that never did the
 * newest {@value #UNSERVED}.
 */
public final class ModelRegistry {
  private static final Pattern NAME = Pattern.compile("v(\\d{6,})\\.json");
  private static final String FOLDER = "models";
  static final int HISTORY = 20;
  static final int UNSERVED = 10;

  private final Path folder;

  private ModelRegistry(Path folder) {
    this.folder = folder;
  }

  /** The models of one kind of agent in a service's state folder: {@code models/KIND}. */
  public static ModelRegistry of(Path stateFolder, String kind) {
    return open(stateFolder.resolve(FOLDER).resolve(kind));
  }

  /** The kinds of agents that a state folder has models of. */
  public static List<String> kinds(Path stateFolder) {
    Path models = stateFolder.resolve(FOLDER);
    if (!Files.isDirectory(models)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(models)) {
      return entries
          .filter(Files::isDirectory)
          .map(entry -> entry.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the models in " + models, e);
    }
  }

  static ModelRegistry open(Path folder) {
    try {
      Files.createDirectories(folder);
      return new ModelRegistry(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot make the folder of models %s: %s".formatted(folder, FileTrouble.reason(e)), e);
    }
  }

  /** Keeps a model under the next version. The description is written last: it makes it exist. */
  public ModelInfo add(
      byte[] model,
      String agent,
      String createdAt,
      long trainSteps,
      long transitions,
      String reason) {
    return exclusively(
        () -> {
          long version = list().stream().mapToLong(ModelInfo::version).max().orElse(0) + 1;
          ModelInfo info =
              new ModelInfo(version, agent, createdAt, trainSteps, transitions, reason, null);
          write(file(version, "model"), model);
          write(file(version, "json"), StrictJson.readable(info));
          prune(version);
          return info;
        });
  }

  /** The newest one stays, so that no number is given twice. */
  private void prune(long newest) {
    ServingState now = serving();
    List<Long> unserved =
        list().stream()
            .map(ModelInfo::version)
            .filter(v -> v != newest && v != now.version() && !now.onTrial(v))
            .filter(v -> !now.before().contains(v))
            .toList();
    for (long version : unserved.subList(0, Math.max(0, unserved.size() - UNSERVED + 1))) {
      try {
        Files.deleteIfExists(file(version, "json")); // first: without it the model does not exist
        Files.deleteIfExists(file(version, "model"));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete model version " + version, e);
      }
    }
  }

  /** Every version, oldest first. */
  public List<ModelInfo> list() {
    List<ModelInfo> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.add(StrictJson.read(Files.readAllBytes(file), ModelInfo.class, file.toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the models in " + folder, e);
    }
    found.sort(Comparator.comparingLong(ModelInfo::version));
    return found;
  }

  public Optional<ModelInfo> find(long version) {
    return list().stream().filter(info -> info.version() == version).findFirst();
  }

  /**
   * @throws IllegalArgumentException when there is no such version
   */
  public byte[] read(long version) {
    try {
      return Files.readAllBytes(file(version, "model"));
    } catch (NoSuchFileException e) {
      throw unknown(version);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read model " + version, e);
    }
  }

  public ServingState serving() {
    Path file = folder.resolve("serving.json");
    try {
      return StrictJson.read(Files.readAllBytes(file), ServingState.class, file.toString());
    } catch (NoSuchFileException e) {
      return ServingState.NONE;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read serving.json in " + folder, e);
    }
  }

  /** Lets a version serve, unless a rollback pinned another; returns whether it does. */
  public boolean promote(long version) {
    return exclusively(
        () -> {
          ServingState now = serving();
          if (now.pinned()) {
            return false;
          }
          require(version);
          set(new ServingState(version, false, history(now)));
          return true;
        });
  }

  /** Lets a version serve for half of the owners; false when a rollback holds what serves. */
  public boolean tryOut(long version) {
    return exclusively(
        () -> {
          ServingState now = serving();
          if (now.pinned()) {
            return false;
          }
          require(version);
          set(new ServingState(now.version(), false, now.before(), version));
          return true;
        });
  }

  /** The version on trial serves for nobody any more. */
  public ServingState endTrial() {
    return exclusively(
        () -> {
          ServingState now = serving();
          return set(new ServingState(now.version(), now.pinned(), now.before()));
        });
  }

  /** Notes why a version serves, or does not. */
  public void note(long version, ModelInfo.Verdict verdict) {
    exclusively(
        () -> {
          ModelInfo noted = find(version).orElseThrow(() -> unknown(version)).with(verdict);
          write(file(version, "json"), StrictJson.readable(noted));
          return noted;
        });
  }

  /**
   * Goes back from a version to the last one before it that was not kept back itself; a rollback
   * that holds it wins.
   *
   * @return whether another one serves now; false also when there is none to go back to
   */
  public boolean stepBack(long from) {
    return exclusively(
        () -> {
          ServingState now = serving();
          if (now.pinned() || now.version() != from) {
            return false;
          }
          List<Long> good =
              list().stream().filter(m -> !m.keptBack()).map(ModelInfo::version).toList();
          for (int i = now.before().size() - 1; i >= 0; i--) {
            long version = now.before().get(i);
            if (version != from && good.contains(version)) {
              set(new ServingState(version, false, now.before().subList(0, i)));
              return true;
            }
          }
          return false;
        });
  }

  /**
   * Goes back to the version that served before, or to a given one, and holds it.
   *
   * @param to 0 for the one before
   */
  public ServingState rollback(long to) {
    return exclusively(() -> rolledBack(to));
  }

  private ServingState rolledBack(long to) {
    ServingState now = serving();
    List<Long> before = now.before();
    if (to == 0 && before.isEmpty()) {
      throw new IllegalArgumentException(
          "no version served before " + now.version() + ": name one with --to");
    }
    long version = to == 0 ? before.get(before.size() - 1) : to;
    require(version);
    List<Long> rest = to == 0 ? before.subList(0, before.size() - 1) : history(now);
    return set(new ServingState(version, true, rest));
  }

  /** Lets promotions through again. */
  public ServingState unpin() {
    return exclusively(
        () -> {
          ServingState now = serving();
          return set(new ServingState(now.version(), false, now.before()));
        });
  }

  /** One change at a time: the monitor keeps out other threads, the file's lock other processes. */
  private <T> T exclusively(Supplier<T> change) {
    synchronized (ModelRegistry.class) {
      try (FileChannel file =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = file.lock()) {
        Objects.requireNonNull(held, "lock() waits until it has one");
        return change.get();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot lock the folder of models " + folder, e);
      }
    }
  }

  private static List<Long> history(ServingState now) {
    List<Long> before = new ArrayList<>(now.before());
    if (now.version() > 0) {
      before.add(now.version());
    }
    return before.subList(Math.max(0, before.size() - HISTORY), before.size());
  }

  private void require(long version) {
    if (!Files.exists(file(version, "json"))) {
      throw unknown(version);
    }
  }

  private IllegalArgumentException unknown(long version) {
    List<Long> known = list().stream().map(ModelInfo::version).toList();
    return new IllegalArgumentException(
        "no model version " + version + " in " + folder + ": there are " + known);
  }

  private ServingState set(ServingState state) {
    write(folder.resolve("serving.json"), StrictJson.readable(state));
    return state;
  }

  private Path file(long version, String suffix) {
    return folder.resolve("v%06d.%s".formatted(version, suffix));
  }

  private static void write(Path file, byte[] content) {
    try {
      AtomicFile.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
