package dev.berth.workbench.cli;

import dev.berth.policy.file.NearestName;
import dev.berth.simulator.scenario.MissingHistoryException;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds scenarios by path, or by name and folder among those that ship: {@code simulator/scenarios}
 * of the working directory or of the checkout that holds the jar, or {@code BERTH_SCENARIOS}.
 */
final class ScenarioLibrary {
  private static final Path SHIPPED = Path.of("simulator", "scenarios");

  private ScenarioLibrary() {}

  /** One scenario by path or name. */
  static Scenario one(String nameOrPath) throws IOException {
    Path path = Path.of(nameOrPath);
    if (Files.isRegularFile(path)) {
      return ScenarioFile.read(path);
    }
    if (path.getNameCount() > 1 || nameOrPath.endsWith(".yaml")) {
      throw new IllegalArgumentException(
          "no file '" + nameOrPath + "': check the path, or name a scenario that ships");
    }
    Optional<Path> home = home();
    if (home.isPresent()) {
      List<Path> files = files(home.get());
      for (Path file : files) {
        if (name(file).equals(nameOrPath)) {
          return ScenarioFile.read(file);
        }
      }
      Path root = home.get();
      List<String> ownNames =
          files.stream()
              .filter(f -> root.equals(f.getParent()))
              .map(ScenarioLibrary::name)
              .toList();
      throw new IllegalArgumentException(
          "no scenario '"
              + nameOrPath
              + "'"
              + NearestName.suggestion(
                  nameOrPath, files.stream().map(ScenarioLibrary::name).toList())
              + "; there are: "
              + String.join(", ", ownNames)
              + ", and those of the folders "
              + String.join(", ", folders(root, files))
              + " in "
              + root
              + "; or give the path of a .yaml file");
    }
    throw new IllegalArgumentException(
        "no scenario '" + nameOrPath + "', and none that ship are here: set BERTH_SCENARIOS");
  }

  /**
   * Scenarios of files, folders or names, each once.
   *
   * @param skipped is told of those of a folder whose data is not on this machine
   * @throws IllegalArgumentException when nothing is left of a folder
   */
  static List<Scenario> all(List<String> places, Consumer<MissingHistoryException> skipped)
      throws IOException {
    List<Scenario> out = new ArrayList<>();
    for (String place : places) {
      if (place.isBlank()) { // else it is the working directory, with whatever YAML is there
        throw new IllegalArgumentException("a scenario's name is empty: name one, or leave it out");
      }
      Path path = Path.of(place);
      Path shipped = home().map(h -> h.resolve(place)).orElse(path);
      List<Scenario> found;
      if (Files.isDirectory(path)) {
        found = ScenarioFile.readAll(path, skipped);
      } else if (Files.isDirectory(shipped)) {
        found = ScenarioFile.readAll(shipped, skipped);
      } else {
        found = List.of(one(place));
      }
      if (found.isEmpty()) {
        throw new IllegalArgumentException(
            "%s: no scenario of it can run here, their data is missing".formatted(place));
      }
      for (Scenario scenario : found) {
        if (out.stream().noneMatch(s -> s.name().equals(scenario.name()))) {
          out.add(scenario);
        }
      }
    }
    return out;
  }

  /** The same, where all data must be there. */
  static List<Scenario> all(List<String> places) throws IOException {
    return all(
        places,
        missing -> {
          throw missing;
        });
  }

  private static List<Path> files(Path home) throws IOException {
    try (Stream<Path> walk = Files.walk(home)) {
      return walk.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  /** Those right below home that hold scenarios. */
  private static List<String> folders(Path home, List<Path> files) {
    return files.stream()
        .map(home::relativize)
        .filter(file -> file.getNameCount() > 1)
        .map(file -> file.getName(0).toString())
        .distinct()
        .toList();
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", "");
  }

  private static Optional<Path> home() {
    List<Path> places = new ArrayList<>();
    @Nullable String set = System.getenv("BERTH_SCENARIOS");
    if (set != null) {
      places.add(Path.of(set));
    }
    places.add(SHIPPED);
    checkout().ifPresent(root -> places.add(root.resolve(SHIPPED)));
    return places.stream().filter(Files::isDirectory).findFirst();
  }

  /** The checkout, seen from service/target/berth.jar or service/target/classes. */
  private static Optional<Path> checkout() {
    try {
      Path code =
          Path.of(
              ScenarioLibrary.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path target = code.getParent();
      Path service = target == null ? null : target.getParent();
      return Optional.ofNullable(service == null ? null : service.getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the class path has no file location", e);
    }
  }
}
