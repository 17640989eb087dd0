package dev.berth.service.prometheus;

import java.util.function.Consumer;

/** Takes in an answer while it is read, and keeps of it what is of use. Not thread-safe. */
abstract class SeriesReader implements Consumer<Series> {
  private int size;
  private int leftOut;

  @Override
  public final void accept(Series series) {
    size++;
    if (!take(series)) {
      leftOut++;
    }
  }

  /** False where it is left out, for there are too many. */
  abstract boolean take(Series series);

  /** How many series there were. */
  final int size() {
    return size;
  }

  /** How many of them were left out. */
  final int leftOut() {
    return leftOut;
  }
}
