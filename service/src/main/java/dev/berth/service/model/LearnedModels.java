package dev.berth.service.model;

import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.oracle.PolicyCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Learned policies by name: {@code dqn}, {@code gnn}, {@code ac} and {@code ac-gnn} are the models
 * that ship, {@code model:PATH} is a file or the folder of a training run.
 */
public final class LearnedModels implements PolicyCatalog.Source {
  private static final String FILE = "model:";

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (AgentKind kind : AgentKind.values()) {
      if (shipped(kind).isPresent()) {
        names.add(kind.id());
      }
    }
    names.add(FILE + "PATH");
    return names;
  }

  @Override
  public @Nullable PolicyFactory find(String name) {
    BalanceModel model;
    if (name.startsWith(FILE)) {
      model = read(Path.of(name.substring(FILE.length())));
    } else if (Arrays.stream(AgentKind.values()).anyMatch(k -> k.id().equals(name))) {
      model = shipped(AgentKind.byId(name)).orElse(null);
    } else {
      return null;
    }
    return model == null ? null : context -> model.policy();
  }

  /** The model of an agent that ships with this build. */
  public static Optional<BalanceModel> shipped(AgentKind kind) {
    String resource = resource(kind);
    try (InputStream in = LearnedModels.class.getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(BalanceModel.decode(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource + " of this build", e);
    }
  }

  /** Where an agent's model lies in the jar. */
  public static String resource(AgentKind kind) {
    return "/dev/berth/models/" + kind.id() + ".model";
  }

  /** Tells two contents of a {@code model:PATH} apart; empty for policies of this build. */
  public static Optional<String> fingerprint(String policy) throws IOException {
    if (!policy.startsWith(FILE)) {
      return Optional.empty();
    }
    byte[] content = Files.readAllBytes(file(Path.of(policy.substring(FILE.length()))));
    return Optional.of(UUID.nameUUIDFromBytes(content).toString());
  }

  private static Path file(Path path) {
    return Files.isDirectory(path) ? path.resolve("model.bin") : path;
  }

  /**
   * Reads a model file, or {@code model.bin} of a training run's folder.
   *
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  public static BalanceModel read(Path path) {
    Path file = file(path);
    try {
      return BalanceModel.decode(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read model " + file + ": name a file or folder that 'berth train' wrote", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
