package dev.berth.workbench.sweep;

import java.nio.file.Path;

/** Where a sweep keeps what; the whole layout in one place. */
public final class SweepFolder {
  private SweepFolder() {}

  static Path results(Path sweep) {
    return sweep.resolve("results");
  }

  public static Path result(Path sweep, Unit unit) {
    return results(sweep).resolve(unit.stem() + ".json");
  }

  /** Model, TensorBoard events and checkpoint of a unit. */
  public static Path run(Path sweep, Unit unit) {
    return sweep.resolve("runs").resolve(unit.stem());
  }

  public static Path log(Path sweep, Unit unit) {
    return sweep.resolve("logs").resolve(unit.stem() + ".log");
  }
}
